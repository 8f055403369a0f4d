"""Query engines: a million values of 20 bytes to hexadecimal digests, by the engine's own function and by this package.

Engines are loaded by name, as most users have few of them, and their types do not matter here.
"""

import hashlib
import os
import sys
import time
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import hashlanes
from hashlanes.bench.timing import Result, race
from hashlanes.bench.values import N_ROWS, values


def load(name: str) -> Any:
    return import_module(name)


def table() -> Any:
    return load("pyarrow").table({"text": [message.decode() for message in values()]})


def digests(column: Any) -> Any:
    return load("pyarrow").array(hashlanes.sha256_column(column, encoding="hex"))


def by_loop(texts: Any) -> list[str]:
    return [hashlib.sha256(text.encode()).hexdigest() for text in texts]


def polars() -> Iterator[Result]:
    """`map_batches` against the extension polars-hash."""
    pl = load("polars")
    frame = pl.DataFrame(table())
    ours = pl.col("text").map_batches(lambda column: pl.Series(digests(column)), return_dtype=pl.String)
    theirs = load("polars_hash").col("text").chash.sha2_256()
    yield race("Polars: polars-hash", lambda: frame.select(theirs), lambda: frame.select(ours), N_ROWS)


def duckdb() -> Iterator[Result]:
    """An Arrow function, the column of a query, and the extension in the file `DUCKDB_EXTENSION`, against `sha256`."""
    connection = load("duckdb").connect(config={"allow_unsigned_extensions": True})
    connection.register("rows", table())
    connection.create_function("sha256_arrow", digests, ["VARCHAR"], "VARCHAR", type="arrow")

    def sql(query: str) -> Any:
        return connection.sql(query).to_arrow_table()

    def own() -> Any:
        return sql("SELECT sha256(text) FROM rows")

    yield race("DuckDB: sha256", own, lambda: sql("SELECT sha256_arrow(text) FROM rows"), N_ROWS)
    yield race("DuckDB: sha256; a query's column", own, lambda: digests(connection.sql("SELECT text FROM rows")), N_ROWS)
    if extension := os.environ.get("DUCKDB_EXTENSION"):
        connection.load_extension(extension)
        yield race("DuckDB: sha256; the extension", own, lambda: sql("SELECT sha256_lanes(text) FROM rows"), N_ROWS)


def datafusion() -> Iterator[Result]:
    """A scalar function against `sha256`."""
    engine = load("datafusion")
    context = engine.SessionContext()
    context.from_arrow(table(), name="rows")
    text = load("pyarrow").string()
    context.register_udf(engine.udf(digests, [text], text, "immutable", name="sha256_lanes"))

    def sql(query: str) -> Any:
        return context.sql(query).to_arrow_table()

    own = "SELECT encode(sha256(text), 'hex') FROM rows"
    yield race("DataFusion: sha256", lambda: sql(own), lambda: sql("SELECT sha256_lanes(text) FROM rows"), N_ROWS)


def pandas() -> Iterator[Result]:
    """A column against `map`."""
    column = table().to_pandas()["text"]
    yield race("pandas: map", lambda: by_loop(column), lambda: digests(column).to_pandas(), N_ROWS)


def dask() -> Iterator[Result]:
    """Two processes, by the clock on the wall."""
    dask, pd = load("dask.dataframe"), load("pandas")
    frame = table().to_pandas()

    def ours(column: Any) -> Any:
        return digests(column).to_pandas().set_axis(column.index)

    def theirs(column: Any) -> Any:
        return pd.Series(by_loop(column), index=column.index, dtype=column.dtype)

    with load("dask.distributed").Client(n_workers=2, threads_per_worker=1, dashboard_address=None):
        rows = dask.from_pandas(frame, npartitions=4)["text"].persist()

        def run(function: Any) -> Any:
            return rows.map_partitions(function, meta=("sha256", "str")).count().compute()

        yield race("Dask: hashlib", lambda: run(theirs), lambda: run(ours), N_ROWS, clock=time.perf_counter)


def ray() -> Iterator[Result]:
    """Two processes, by the clock on the wall."""
    engine = load("ray")
    engine.init(num_cpus=2, include_dashboard=False, logging_level="ERROR")
    load("ray.data").DataContext.get_current().enable_progress_bars = False
    rows = load("ray.data").from_arrow([table().slice(first, N_ROWS // 4) for first in range(0, N_ROWS, N_ROWS // 4)])

    def ours(batch: Any) -> Any:
        return batch.append_column("sha256", digests(batch["text"]))

    def theirs(batch: Any) -> Any:
        return batch.append_column("sha256", [by_loop(batch["text"].to_pylist())])

    def run(function: Any) -> Any:
        return rows.map_batches(function, batch_format="pyarrow").materialize()

    yield race("Ray: hashlib", lambda: run(theirs), lambda: run(ours), N_ROWS, clock=time.perf_counter)
    engine.shutdown()


def spark() -> Iterator[Result]:
    """`mapInArrow` against `sha2`, on two threads of one JVM, by the clock on the wall."""
    os.environ["PYSPARK_PYTHON"] = sys.executable
    pyarrow, sha2 = load("pyarrow"), load("pyspark.sql.functions").sha2
    session = load("pyspark.sql").SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
    rows = session.createDataFrame(table().to_pandas()).repartition(4).cache()
    rows.count()

    def ours(batches: Any) -> Any:
        for batch in batches:
            yield pyarrow.record_batch({"sha256": digests(batch["text"])})

    def run(frame: Any) -> Any:
        return frame.agg({"sha256": "max"}).collect()

    own, lanes = rows.select(sha2("text", 256).alias("sha256")), rows.mapInArrow(ours, "sha256 string")
    yield race("Spark: sha2", lambda: run(own), lambda: run(lanes), N_ROWS, clock=time.perf_counter)
    session.stop()
