"""Why DDS lets a publisher and a subscription of one topic not meet."""

from rclpy.qos import qos_check_compatible, QoSCompatibility, QoSProfile

# in the order in which DDS looks at them; a policy's fields belong together
_POLICIES = {
    'RELIABILITY': ('reliability',),
    'DURABILITY': ('durability',),
    'DEADLINE': ('deadline',),
    'LIVELINESS': ('liveliness', 'liveliness_lease_duration'),
}


def why_incompatible(publisher: QoSProfile, subscription: QoSProfile) -> tuple[str, ...]:
    """
    Return the policies, as DDS calls them, by which a subscription does not hear a publisher.

    An empty tuple says that the two meet, or that nobody can tell: a profile read from the graph
    may have policies that the RMW does not know.
    """
    return tuple(
        policy
        for policy, fields in _POLICIES.items()
        if not meet(_only(fields, publisher), _only(fields, subscription))
    )


def meet(publisher: QoSProfile, subscription: QoSProfile) -> bool:
    """Return whether DDS lets the two meet, by the word of the RMW."""
    return bool(qos_check_compatible(publisher, subscription)[0] != QoSCompatibility.ERROR)


def _only(fields: tuple[str, ...], profile: QoSProfile) -> QoSProfile:
    """Return a profile that is like ``profile`` in these fields, and usual in all others."""
    return QoSProfile(depth=1, **{field: getattr(profile, field) for field in fields})
