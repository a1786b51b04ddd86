"""The commands ``survey`` and ``report``: what they print, keep and refuse."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from command import process, run

from osmosis_solver import block, cli_survey
from osmosis_solver.block import Question, Task, measure
from osmosis_solver.cli_survey import SurveyMeter, so_far
from osmosis_solver.report import joined, to_object, told_survey
from osmosis_solver.store import Store
from osmosis_solver.survey import survey
from osmosis_solver.tally import Tally

pytest.importorskip("scipy", reason="extra survey is not installed")

FIELDS = [
    *("schema", "rules", "what", "policy", "kernel", "limits", "numbers"),
    *("deals", "won", "lost", "unknown", "unknown_by", "share", "low", "high", "effort"),
    *("turns", "passes", "scores", "mean_score", "mean_lost_score", "many_home"),
    *("unsettled", "checked", "seconds"),
]


def told(result: Result, status: int = 0) -> dict[str, Any]:
    """The one JSON object that was printed."""
    assert result.exit_code == status, result.stderr
    [line] = result.stdout.splitlines()
    found: dict[str, Any] = json.loads(line)
    assert list(found) == FIELDS
    return found


def refused(result: Result) -> str:
    """The one line on standard error of a command that refuses."""
    assert result.exit_code == 2
    assert result.stdout == ""
    [line] = result.stderr.splitlines()
    return line


def same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether two objects agree but for what a run costs."""
    return {**one, "seconds": 0, "checked": 0} == {**other, "seconds": 0, "checked": 0}


def test_json() -> None:
    """The object has the figures of the tally."""
    found = told(run("survey", "--deals", "200", "--start", "50", "--json", "--rules", "draw-one"))
    tally = survey((50, 250), Question().rules.named("DRAW_ONE"))
    assert found["rules"] == {
        "name": "DRAW_ONE",
        "draw": 1,
        "passes": None,
        "waste": "top",
        "row_start": "base",
        "layout": [4, 4, 4, 4],
    }
    assert (found["deals"], found["won"], found["lost"]) == (200, tally.won, tally.lost)
    assert (found["share"], found["low"], found["high"]) == tally.share_won
    assert found["unknown"] == 0
    assert found["numbers"] == [[50, 249]]
    assert found["kernel"] == block.KERNEL
    assert found["effort"]["most"] == found["effort"]["hardest"][0]["positions"] == tally.most
    assert found["turns"] is found["scores"] is found["many_home"] is None
    assert found["checked"] == tally.checked == 2


@pytest.mark.parametrize("what", ["turns", "score"])
def test_distributions(what: str) -> None:
    """What is asked beyond the verdict comes as a distribution that sums to its deals."""
    found = told(run("survey", "--deals", "40", "--what", what, "--json", "--check", "0"))
    if what == "turns":
        assert sum(found["turns"]["deals"].values()) == found["won"]
        assert sum(found["passes"]["deals"].values()) == found["won"]
        assert found["scores"] is None
    else:
        assert sum(found["scores"]["deals"].values()) == 40
        assert found["scores"]["deals"]["52"] == found["won"]
        many = sum(deals for home, deals in found["scores"]["deals"].items() if int(home) >= 40)
        assert found["many_home"]["share"] == many / 40
        assert found["mean_lost_score"] < found["scores"]["mean"]
        middle = found["mean_score"]
        assert middle["low"] < middle["mean"] == found["scores"]["mean"] < middle["high"]


def test_policy() -> None:
    """A policy's survey has scores and no effort."""
    found = told(
        run("survey", "--deals", "200", "--policy", "greedy", "--rules", "draw-one", "--json")
    )
    assert found["policy"] == "greedy"
    assert found["effort"] is None
    assert found["scores"]["deals"]["52"] == found["won"]
    assert found["mean_score"]["mean"] == found["scores"]["mean"]
    result = run("survey", "--deals", "20", "--policy", "greedy")
    assert "not won" in result.stdout
    assert "mean, wins included: " in result.stdout
    assert "Positions" not in result.stdout


def test_players(tmp_path: Path) -> None:
    """A player has a store of its own, which goes on only as it began."""
    few = ["survey", "--deals", "3", "--json", "--store", str(tmp_path / "a.db")]
    advisor = [*few, "--policy", "advisor", "--completions", "5", "--sees", "tops"]
    found = told(run(*advisor))
    assert found["policy"] == "advisor 5 tops"
    assert same(told(run(*advisor)), found)
    for more in (["--completions", "6"], ["--sees", "reserve"], ["--policy", "thoughtful"]):
        assert "advisor 5 tops, wanted policy" in refused(run(*few, "--policy", "advisor", *more))
    found = told(run("survey", "--deals", "3", "--json", "--policy", "thoughtful"))
    best = told(run("survey", "--deals", "3", "--json", "--what", "score"))
    assert (found["scores"], found["won"]) == (best["scores"], best["won"])


def test_other_rules_and_limits() -> None:
    """Rules options and limits are those of the question; unknown deals give status 3."""
    found = told(
        run(
            "survey", "--deals", "50", "--draw", "2", "--positions", "1", "--memory", "9", "--json"
        ),
        status=3,
    )
    assert found["rules"]["name"] is None
    assert found["limits"] == {"positions": 1, "megabytes": 9}
    assert found["unknown"] == found["unknown_by"]["positions"] > 0
    assert found["low"] <= found["share"] < found["high"]


def test_for_people(tmp_path: Path) -> None:
    """The lines for people are 80 wide and hold the counts; ``report`` tells the same."""
    path = str(tmp_path / "a.db")
    result = run("survey", "--deals", "300", "--store", path, "--what", "turns", "--check", "0")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == "OSMOSIS, turns: 300 native deals, 0 to 299"
    assert max(map(len, lines)) <= 80
    tally = survey((0, 300), check=0)
    assert f"{tally.won}   {100 * tally.won / 300:.4f} %" in result.stdout
    assert "Fewest turns of a won deal: " in result.stdout
    assert run("report", path).stdout == result.stdout


def test_store_and_report(tmp_path: Path) -> None:
    """A survey in two halves, in one store or in two that are merged, reports as one in one go."""
    one, two, three = (str(tmp_path / name) for name in ("1.db", "2.db", "3.db"))
    whole = told(run("survey", "--deals", "300", "--json", "--check", "0"))
    run("survey", "--deals", "150", "--store", one, "--block", "40")
    assert same(told(run("survey", "--deals", "300", "--store", one, "--json")), whole)
    assert same(told(run("report", one, "--json")), whole)
    run("survey", "--deals", "200", "--store", two, "--block", "50")
    run("survey", "--start", "200", "--deals", "100", "--store", three)
    result = run("report", two, "--merge", three, "--merge", three, "--json")
    assert same(told(result), whole)
    assert "1 new blocks from" in result.stderr
    assert "0 new blocks from" in result.stderr
    fresh = str(tmp_path / "4.db")
    assert same(told(run("report", fresh, "--merge", two, "--json")), whole)


def test_jobs() -> None:
    """On two processes the figures are those of one."""
    whole = told(run("survey", "--deals", "300", "--json"))
    assert same(
        told(run("survey", "--deals", "300", "--json", "--jobs", "2", "--block", "50")), whole
    )


def test_a_contradicted_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """An answer that a proof contradicts ends the survey with status 1 and a line that names it."""
    monkeypatch.setattr(block, "_verdicts", lambda *_: (b"\1", bytes(4)))
    result = run("survey", "--deals", "1", "--check", "1")
    assert result.exit_code == 1
    assert "native deal 0, OSMOSIS, verdict: got won, wanted lost" in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["survey"], "Missing option '--deals'"),
        (["survey", "--deals", "0"], "survey, numbers: got (0, 0)"),
        (["survey", "--deals", "-5"], "survey, numbers: got (0, -5)"),
        (["survey", "--deals", "5", "--start", "-1"], "survey, numbers: got (-1, 4)"),
        (["survey", "--deals", "5", "--check", "2"], "a share from 0 to 1"),
        (["survey", "--deals", "5", "--block", "0"], "survey, deals a block: got 0"),
        (["survey", "--deals", "5", "--jobs", "2", "--dask", "x"], "either --jobs or --dask"),
        (["survey", "--deals", "5", "--jobs", "0"], "'--jobs'"),
        (["survey", "--deals", "5", "--what", "luck"], "'--what'"),
        (["survey", "--deals", "5", "--policy", "greedy", "--what", "turns"], "what 'turns'"),
        (["survey", "--deals", "5", "--sees", "tops"], "are for --policy advisor"),
        (["survey", "--deals", "5", "--policy", "greedy", "--sees", "tops"], "the advisor only"),
        (["survey", "--deals", "5", "--policy", "advisor", "--completions", "0"], "completions"),
        (["survey", "--deals", "5", "--positions", "0"], "budget positions"),
        (["survey", "--deals", "5", "--rules", "chess"], "rules name"),
        (["survey", "--deals", "5", "--store", "/no/such/folder/a.db"], "cannot be opened"),
        (["report"], "Missing argument"),
        (["report", "none.db"], "store none.db: got no such file"),
        (["report", "new.db", "--merge", "none.db"], "store none.db: got no such file"),
    ],
)
def test_refused(args: list[str], message: str) -> None:
    """What makes no sense is one line on standard error and status 2."""
    assert message in refused(run(*args))


def test_another_store_is_refused(tmp_path: Path) -> None:
    """So is a store of other rules."""
    path = str(tmp_path / "a.db")
    run("survey", "--deals", "5", "--store", path)
    line = refused(run("survey", "--deals", "5", "--store", path, "--rules", "aisleriot"))
    assert "got rules OSMOSIS, wanted rules AISLERIOT" in line


@pytest.mark.parametrize(
    ("module", "extra", "args"),
    [
        ("scipy.stats", "survey", ["survey", "--deals", "5"]),
        ("scipy.stats", "survey", ["report", "a.db"]),
        ("distributed", "dask", ["survey", "--deals", "5", "--dask", "tcp://127.0.0.1:1"]),
        ("pyarrow", "survey", ["report", "a.db", "--export", "a.parquet"]),
        ("matplotlib", "plots", ["report", "a.db", "--plots", "plots"]),
    ],
)
def test_extras_that_are_missing(
    module: str, extra: str, args: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A package that is missing is named with the extra that brings it."""
    monkeypatch.chdir(tmp_path)
    run("survey", "--deals", "5", "--store", "a.db", "--check", "0")
    monkeypatch.setitem(sys.modules, module, None)
    line = refused(run(*args))
    assert f"got no {module.partition('.')[0]}" in line
    assert f"pip install 'osmosis-solver[{extra}]'" in line


def test_no_cluster(monkeypatch: pytest.MonkeyPatch) -> None:
    """A scheduler that does not answer is refused with its address."""
    pytest.importorskip("distributed", reason="extra dask is not installed")
    monkeypatch.setattr(cli_survey, "_SECONDS_TO_CONNECT", 0.2)
    line = refused(run("survey", "--deals", "5", "--dask", "tcp://127.0.0.1:1"))
    assert "Dask cluster: got 'tcp://127.0.0.1:1'" in line
    line = refused(run("survey", "--deals", "5", "--dask", "nonsense://"))
    assert "Dask cluster: got 'nonsense://'" in line


def test_solve_does_not_load_it() -> None:
    """Neither the package nor ``solve`` loads the commands, SQLite or a package of an extra."""
    code = (
        "import sys; from osmosis_solver.cli import osmosis; "
        "osmosis(['solve', '--number', '3'], standalone_mode=False); "
        "print([name for name in ('osmosis_solver.cli_survey', 'osmosis_solver.store', 'sqlite3', "
        "'scipy', 'numpy', 'pyarrow', 'distributed', 'matplotlib') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_joined() -> None:
    """Ranges that follow on one another are told as one."""
    spans = [range(5), range(5, 9), range(10, 12), range(12, 13), range(20, 21)]
    assert joined(spans) == [range(9), range(10, 13), range(20, 21)]


def test_many_ranges() -> None:
    """Of many ranges of numbers the first few are told, and how many more there are."""
    tally = Tally.of(measure(Task(Question(), 0, 1)))
    first = next(told_survey(tally, [range(i, i + 1) for i in range(0, 16, 2)]))
    assert first.endswith("1 native deal, 0 to 0, 2 to 2, 4 to 4, 6 to 6, 8 to 8 and 3 more ranges")


def test_nothing_yet() -> None:
    """A store without a block has figures too."""
    nothing = Tally(Question(what="score"))
    assert list(told_survey(nothing, [])) == ["OSMOSIS, score: 0 native deals"]
    found = to_object(nothing, [])
    assert (found["deals"], found["low"], found["high"]) == (0, 0.0, 1.0)
    assert json.loads(json.dumps(found)) == found


# ---- the display ---------------------------------------------------------------------------


def test_so_far() -> None:
    """The display has deals a second, the time left at that rate, the share and its interval."""
    tally = Tally(Question(), verdicts={0: 700, 1: 300})
    lines = so_far(tally, 2000, 500, 50.0).splitlines()
    assert lines == [
        "1,000 of 2,000 deals, 10 a second, 0:01:40 left",
        "30.0000 % won (95 % interval 27.2406 to 32.9124)",
    ]
    assert so_far(Tally(Question()), 2000, 0, 0.0) == "0 of 2,000 deals"
    unknown = Tally(Question(), verdicts={2: 5, 1: 5})
    assert so_far(unknown, 10, 0, 1.0).endswith(", 5 unknown")


def test_the_meter_counts_this_run_only() -> None:
    """Deals that the store had are not counted into the rate; looks come at intervals."""
    times = iter([0.0, 100.0, 100.05, 110.0])
    shown = list[str]()

    class Screen:
        def update(self, text: str, refresh: bool) -> None:
            assert refresh
            shown.append(text)

    meter: Any = SurveyMeter(4000, clock=lambda: next(times))
    meter._live = Screen()
    for deals in (1000, 1500, 2000):
        meter(Tally(Question(), verdicts={0: deals}))
    assert [text.splitlines()[0] for text in shown] == [
        "1,000 of 4,000 deals",
        "2,000 of 4,000 deals, 100 a second, 0:00:20 left",
    ]


def test_the_display_on_a_terminal(tmp_path: Path) -> None:
    """On a terminal the display is drawn on standard error and wiped away; the result remains."""
    pty = pytest.importorskip("pty", reason="no terminals here")
    ours, theirs = pty.openpty()
    # Verdicts alone are told before the display is drawn a second time.
    command = [sys.executable, "-m", "osmosis_solver", "survey", "--what", "turns"]
    command += ["--deals", "2000", "--block", "50", "--check", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs) as running:
        out = running.communicate()[0].decode()
    os.close(theirs)
    screen = os.read(ours, 10**6).decode()
    os.close(ours)
    assert "of 2,000 deals" in screen
    assert "% won" in screen
    assert out.startswith("OSMOSIS, turns: 2,000 native deals")
    plain = subprocess.run(command, capture_output=True, text=True, check=True)
    assert plain.stderr == ""
    assert plain.stdout.splitlines()[:6] == out.splitlines()[:6]


# ---- ends ----------------------------------------------------------------------------------


def deals_in(path: Path) -> int:
    """How many deals a store has; none before it is one."""
    if not path.exists():
        return 0
    try:
        with Store.read(path) as store:
            return store.tally().deals
    except ValueError:
        return 0


def wait_for(path: Path, deals: int, running: subprocess.Popen[bytes]) -> None:
    """Wait until a running survey has stored so many deals."""
    while deals_in(path) < deals:
        assert running.poll() is None
        time.sleep(0.05)


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_interrupted(tmp_path: Path, jobs: str) -> None:
    """Ctrl-C ends a survey with a line and status 130, and its store goes on."""
    path = tmp_path / "a.db"
    args = ["survey", "--block", "100", "--store", str(path), "--check", "0", "--jobs", jobs]
    with process(*args, "--deals", "1000000") as running:
        wait_for(path, 300, running)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate()
    assert running.returncode == 130
    assert out == b""
    [line] = err.decode().splitlines()
    assert f"interrupted; what is finished is kept in {path}" in line
    deals = deals_in(path) + 200
    again = run("survey", "--deals", str(deals), "--store", str(path), "--check", "0", "--json")
    assert same(told(again), told(run("survey", "--deals", str(deals), "--json")))


def work(running: Any, seconds: float) -> None:
    """Wait until a process had so much processor time: a clock would count the load as well."""
    spent, ticks = 0.0, os.sysconf("SC_CLK_TCK")
    while spent < seconds and running.poll() is None:
        fields = Path(f"/proc/{running.pid}/stat").read_text().rpartition(")")[2].split()
        spent = (int(fields[11]) + int(fields[12])) / ticks
        time.sleep(0.05)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
def test_interrupted_without_a_store() -> None:
    """Without a store there is nothing to go on from."""
    with process("survey", "--deals", "1000000", "--check", "0") as running:
        work(running, 2)
        running.send_signal(signal.SIGINT)
        _, err = running.communicate()
    assert running.returncode == 130
    assert err == b"osmosis: interrupted\n"


def children(pid: int) -> set[int]:
    """The processes that a process has started."""
    found = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return set(map(int, found))


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc")
def test_killed_with_its_workers_alone(tmp_path: Path) -> None:
    """After kill -9 of the parent its worker processes end by themselves, and the store goes on."""
    path = tmp_path / "a.db"
    args = ["survey", "--block", "50", "--store", str(path), "--check", "0", "--jobs", "2"]
    with process(*args, "--deals", "1000000") as running:
        wait_for(path, 200, running)
        workers = children(running.pid)
        running.kill()
    assert len(workers) >= 2
    end = time.monotonic() + 60
    while any(Path(f"/proc/{pid}").exists() and alive(pid) for pid in workers):
        assert time.monotonic() < end, "workers outlive their parent"
        time.sleep(0.1)
    deals = deals_in(path)
    again = run("survey", "--deals", str(deals + 500), "--store", str(path), "--json")
    assert same(told(again), told(run("survey", "--deals", str(deals + 500), "--json")))


def alive(pid: int) -> bool:
    """Whether a process runs, and does not only wait for someone to ask how it ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


@pytest.mark.slow
def test_on_a_cluster(tmp_path: Path) -> None:
    """The command works on a real Dask cluster, by the address of its scheduler."""
    distributed = pytest.importorskip("distributed", reason="extra dask is not installed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster:
        address = cluster.scheduler_address
        result = run("survey", "--deals", "1000", "--block", "100", "--dask", address, "--json")
    assert same(told(result), told(run("survey", "--deals", "1000", "--json")))
