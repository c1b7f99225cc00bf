"""Who publishes on an image topic, whether the node hears it, and which setting would."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dla_ros.health.finding import Finding, Level
from dla_ros.topics import compressed

IMAGE = 'sensor_msgs/msg/Image'
COMPRESSED_IMAGE = 'sensor_msgs/msg/CompressedImage'
IMAGE_TYPES = frozenset({IMAGE, COMPRESSED_IMAGE})
_MOST_NAMES = 3
_EASY_QOS = 'set input_qos: SENSOR_DATA, which hears every camera'


@dataclass(frozen=True)
class Offer:
    """Hold one publisher of a topic; ``conflict``: what of its QoS keeps it from being heard."""

    node: str
    type_name: str
    conflict: str = ''


@dataclass(frozen=True)
class Wish:
    """
    Hold what the node listens to: ``subscribed``, for the image topic ``topic``.

    Both are full names, remapped. Those of compressed images differ: ``topic``/compressed.
    """

    topic: str
    subscribed: str
    transport: str
    input_qos: str

    @property
    def type_name(self) -> str:
        """Return the type of the messages."""
        return IMAGE if self.transport == 'raw' else COMPRESSED_IMAGE


@dataclass(frozen=True)
class Hearing:
    """
    Hold who is heard, and what is wrong with the others.

    ``heard``: the nodes whose publishers fit. ``misfit``: publishers that will never be heard.
    ``absence``: what to say of a silent camera if nobody fits; '' if somebody does.
    """

    heard: tuple[str, ...] = ()
    misfit: Finding | None = None
    absence: str = ''


def hear(wish: Wish, offers: Sequence[Offer], published: Mapping[str, Sequence[str]]) -> Hearing:
    """
    Judge the publishers of the subscribed topic.

    ``published`` holds the types of the image topics that others publish; it is looked at only if
    no publisher fits.
    """
    heard = tuple(o.node for o in offers if o.type_name == wish.type_name and not o.conflict)
    level = Level.WARN if heard else Level.ERROR
    text = _misfit(wish, offers) or ('' if heard else _other_form(wish, published))
    misfit = Finding(level, _kind(text, offers), text) if text else None
    return Hearing(heard, misfit, '' if heard else text or _absence(wish, published))


def _kind(text: str, offers: Sequence[Offer]) -> str:
    """Return the text without names: that of a node may come later than its publisher."""
    for offer in offers:
        text = text.replace(offer.node, '')
    return text


def _misfit(wish: Wish, offers: Sequence[Offer]) -> str:
    """Say which publisher of the topic itself is not heard."""
    for offer in offers:
        if offer.type_name != wish.type_name:
            told = f"'{wish.subscribed}' carries {offer.type_name} (from {offer.node}), "
            return told + f'not {wish.type_name}; {_cure(wish, offer.type_name)}'
    for offer in offers:
        if offer.conflict:
            return (
                f"a publisher of '{wish.subscribed}' is not heard: the QoS of {offer.node} is "
                f'incompatible with input_qos {wish.input_qos} ({offer.conflict}); cleanup, and '
                + (_EASY_QOS if wish.input_qos != 'SENSOR_DATA' else 'drop its qos_overrides')
            )
    return ''


def _cure(wish: Wish, type_name: str) -> str:
    if wish.transport == 'raw' and type_name == COMPRESSED_IMAGE:
        return _remapped(wish.topic)
    return (
        f'image_transport {wish.transport} reads {wish.type_name}; name the topic that carries '
        'it in image_topics'
    )


def _other_form(wish: Wish, published: Mapping[str, Sequence[str]]) -> str:
    """Say in which other form the same camera is published."""
    plain = published.get(wish.topic, ())
    if wish.transport == 'raw':
        if COMPRESSED_IMAGE in published.get(compressed(wish.topic), ()):
            return (
                f"nobody publishes '{wish.topic}', but '{compressed(wish.topic)}' carries "
                f'{COMPRESSED_IMAGE}; set image_transport: compressed'
            )
    elif IMAGE in plain:
        return (
            f"nobody publishes '{wish.subscribed}', but '{wish.topic}' carries {IMAGE}; set "
            'image_transport: raw'
        )
    elif COMPRESSED_IMAGE in plain:
        cure = _remapped(wish.topic)
        return f"'{wish.topic}' itself carries {COMPRESSED_IMAGE}; {cure}"
    return ''


def _remapped(topic: str) -> str:
    return (
        f'set image_transport: compressed and image_topics: [{topic}], and remap '
        f"'{compressed(topic)}' to '{topic}'"
    )


def _absence(wish: Wish, published: Mapping[str, Sequence[str]]) -> str:
    told = f"nobody publishes '{wish.subscribed}' ({wish.type_name})"
    others = sorted(t for t, types in published.items() if wish.type_name in types)
    if others:
        names = ', '.join(f"'{name}'" for name in others[:_MOST_NAMES])
        more = ', ...' if len(others) > _MOST_NAMES else ''
        return f'{told}; such images are on {names}{more}'
    return f'{told}; is the camera running, with the same ROS_DOMAIN_ID?'
