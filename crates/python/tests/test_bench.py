"""The command `python -m hashlanes.bench`, on few values."""

from hashlanes.bench import __main__ as command
from hashlanes.bench import calls, timing, values


def test_table_and_chart(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(timing, "ROUNDS", 1)
    monkeypatch.setattr(values, "N_ROWS", 2000)
    monkeypatch.setattr(calls, "N_CALLS", 100)
    chart = tmp_path / "chart.svg"
    monkeypatch.setattr("sys.argv", ["bench", "lists", "columns", "calls", "--svg", str(chart)])
    assert command.main() == 0
    printed = capsys.readouterr().out
    for name in ("list -> buffer", "Utf8View, batches", "Utf8 -> hex, batches", "update(x)"):
        assert name in printed
        assert name.replace(">", "&gt;") in chart.read_text()


def test_a_missed_target_is_reported(monkeypatch, capsys):
    slow = timing.Result("slow", 1.0, 2.0, 1, at_least=1.0)
    monkeypatch.setitem(command.SECTIONS, "slow", ("Slow", lambda: iter([slow])))
    monkeypatch.setattr("sys.argv", ["bench", "slow", "--check"])
    assert command.main() == 1
    assert "targets missed: slow" in capsys.readouterr().out
