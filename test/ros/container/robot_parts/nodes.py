"""Nodes as users write them, well and badly, for the container to load."""

from threading import Event

from rclpy.lifecycle import LifecycleNode, TransitionCallbackReturn
from rclpy.node import Node
from std_msgs.msg import String

gate = Event()  # what Slow, SlowCallback and SlowConfigure wait for
entered = Event()
destroyed = []


class Plain(Node):
    """The usual node of a tutorial: a name, no arguments."""

    def __init__(self):
        super().__init__('plain')
        self.declare_parameter('answer', 7)
        self.heard = []
        self.create_subscription(String, 'words', self.on_word, 10)
        self.publisher = self.create_publisher(String, 'echo', 10)

    def on_word(self, message):
        self.heard.append(message.data)
        self.publisher.publish(String(data=f'{self.get_parameter("answer").value}'))

    def destroy_node(self):
        destroyed.append(self.get_fully_qualified_name())
        super().destroy_node()


class Options(Node):
    """A node that hands options on, and has its own ideas about them."""

    def __init__(self, **options):
        super().__init__('options', namespace='deep', cli_args=['--ros-args', '-r', 'a:=b'])
        self.declare_parameter('kept', 'default')


class Slow(Node):
    def __init__(self):
        super().__init__('slow')
        entered.set()
        assert gate.wait(10)


class SlowCallback(Node):
    def __init__(self):
        super().__init__('slow_callback')
        self.create_timer(0.01, self.on_timer)

    def on_timer(self):
        entered.set()
        assert gate.wait(10)


class SlowConfigure(LifecycleNode):
    """A plain lifecycle node of rclpy whose transition runs in the executor."""

    def __init__(self):
        super().__init__('slow_configure')
        self.shut_down_from = None

    def on_configure(self, state):
        entered.set()
        assert gate.wait(10)
        return TransitionCallbackReturn.SUCCESS

    def on_shutdown(self, state):
        destroyed.append(f'shut down from {state.label}')
        return TransitionCallbackReturn.SUCCESS


class FailsEarly(Node):
    def __init__(self):
        raise LookupError('no such camera')


class FailsLate(Node):
    def __init__(self):
        super().__init__('fails_late')
        raise LookupError('the camera is gone')


class Exits(Node):
    def __init__(self):
        super().__init__('exits')
        raise SystemExit(3)


class WantsArguments(Node):
    def __init__(self, name, rate, *, depth=3):
        super().__init__(name)


class GoesAround(Node):
    def __init__(self):
        Node.__init__(self, 'goes_around')


class FailingCallback(Plain):
    def on_word(self, message):
        super().on_word(message)
        raise LookupError(f'what is {message.data}?')


class Guarded(Node):
    """A node with a guard condition, which an EventsExecutor refuses."""

    def __init__(self):
        super().__init__('guarded')
        self.seen = Event()
        self.guard = self.create_guard_condition(self.seen.set)


NOT_A_CLASS = 'words'


class NotANode:
    pass
