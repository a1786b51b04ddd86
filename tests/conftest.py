"""One hypothesis profile for the whole suite: the same examples on every run, never timed."""

from importlib.util import find_spec

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "fixed",
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("fixed")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip examples in docstrings that say they need an extra which is not installed."""
    if find_spec("scipy") is not None:
        return
    for item in items:
        if isinstance(item, pytest.DoctestItem) and "(extra ``survey``)" in (
            item.dtest.docstring or ""
        ):
            item.add_marker(pytest.mark.skip(reason="extra survey is not installed"))
