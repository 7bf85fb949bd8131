import networkx as nx
import pytest


@pytest.fixture(autouse=True, scope="package")
def installed_backend():
    """Check that NetworkX finds the backend; let it use a converted graph again without a warning."""
    assert "boruvka" in nx.utils.backends.backends, "install the entry points: pip install -e . again"
    nx.config.warnings_to_ignore.add("cache")
    yield
    nx.config.warnings_to_ignore.discard("cache")
