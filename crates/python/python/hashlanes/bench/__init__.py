"""Measures this package against hashlib on this CPU: `python -m hashlanes.bench`.

| module | holds |
|---|---|
| `timing` | races between two ways to the same digests |
| `values` | lists and Arrow columns of short values |
| `engines` | query engines |
| `calls` | one message in one call |
| `chart` | the results as an SVG file |
"""
