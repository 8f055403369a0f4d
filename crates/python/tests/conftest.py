"""Options of the tests."""


def pytest_addoption(parser):
    parser.addoption("--duckdb-extension", metavar="FILE", help="the extension that `cargo xtask duckdb` builds")
