"""A tiny engine that plays a given game from memory and goes wrong on demand. Standard library only, starts in no time.

python -I -S scripted.py [key=value …]

protocol=uci|xboard
moves=e2e4,e7e5,…    the whole game, both sides' moves (default: fool's mate, Black mates)
fault=NAME           what goes wrong (see below), at=N own moves into a game (default 2)
once=FILE            the fault strikes only while FILE does not exist; it is made then
starts=FILE          a byte is added at each start; failing=2,3 are the starts that fail
lives=N              the process dies when it is asked for its N-th move
ms=N                 thinking time of every move
trace=FILE           what it is told, line by line
pid=FILE             its process number (and its child's) is written there
"""

import os
import signal
import sys
import time

FOOLS_MATE = "f2f3,e7e5,g2g4,d8h4"
OPTIONS = dict(word.split("=", 1) for word in sys.argv[1:])
GAME = [move for move in OPTIONS.get("moves", FOOLS_MATE).split(",") if move]
FAULT = OPTIONS.get("fault", "")
AT = int(OPTIONS.get("at", "2"))
ASKED: list[int] = []
XBOARD = OPTIONS.get("protocol") == "xboard"
FEATURES = OPTIONS.get("features", "ping=1 setboard=1 usermove=1 san=0 time=1 reuse=1 memory=1")


def say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def moan(text: str) -> None:
    sys.stderr.write(text + "\n")
    sys.stderr.flush()


def strikes(name: str) -> bool:
    if name != FAULT:
        return False
    if "once" in OPTIONS:
        try:
            os.close(os.open(OPTIONS["once"], os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            return False
    return True


def sleep_for_ever() -> None:
    while True:
        time.sleep(60)


def read() -> str:
    line = sys.stdin.readline()
    if not line:
        if FAULT == "ignores-quit":
            sleep_for_ever()
        sys.exit(0)
    if "trace" in OPTIONS:
        with open(OPTIONS["trace"], "a", encoding="utf-8") as handle:
            handle.write(line)
    return line.strip()


def go_wrong(own_move: int, played: list[str]) -> bool:
    """Do what the fault says at this own move; True when no move is to be said any more."""
    if own_move != AT:
        return False
    if strikes("crash"):
        moan("assertion failed: board.c:42")
        os._exit(3)
    if strikes("daemon-crash"):
        os._exit(3)
    if strikes("signal"):
        os.kill(os.getpid(), signal.SIGSEGV)
    if strikes("sigkill"):
        os.kill(os.getpid(), signal.SIGKILL)
    if strikes("exit"):
        os._exit(0)
    if strikes("unfinished-line"):
        sys.stdout.write("bestmove " + GAME[len(played)])
        sys.stdout.flush()
        os._exit(0)
    if strikes("hang"):
        sleep_for_ever()
    if strikes("deaf"):
        # Says something all the time and never reads again.
        while True:
            say("info depth 1 score cp 0")
            time.sleep(0.001)
    if strikes("flood"):
        junk = b"info depth 1 score cp 0 pv " + b"e2e4 " * 200 + b"\n"
        while True:
            os.write(1, junk)
    if strikes("endless-line"):
        while True:
            os.write(1, b"info string " + b"x" * 60_000)
    if strikes("endless-stderr"):
        while True:
            os.write(2, b"assertion failed " * 4000)
    if strikes("closes-output"):
        os.close(1)
        sleep_for_ever()
    if strikes("stops-itself"):
        os.kill(os.getpid(), signal.SIGSTOP)
    if strikes("hang-until-stop"):
        while read() != "stop":
            pass
        say("bestmove " + GAME[len(played)])
        return True
    texts = {
        "illegal": "e1e5",
        "empty": "",
        "null": "0000",
        "none": "(none)",
        "resign": "resign",
        "san": "Qh4#",
        "upper": GAME[len(played)].upper() if len(played) < len(GAME) else "",
    }
    for name, text in texts.items():
        if strikes(name):
            say((("move " if XBOARD else "bestmove ") + text).rstrip())
            return True
    lines = {
        "xb-resign": "resign",
        "xb-resign-words": "tellics resign",
        "xb-resign-more": "resigns, no hope left",
        "xb-win-claim": "0-1 {Black mates}" if len(played) % 2 else "1-0 {White mates}",
        "xb-loss-claim": "1-0 {White mates}" if len(played) % 2 else "0-1 {Black mates}",
        "xb-draw-claim": "1/2-1/2 {Draw by repetition}",
        "xb-illegal-claim": "Illegal move: " + (played[-1] if played else ""),
    }
    for name, text in lines.items():
        if strikes(name):
            say(text)
            return True
    return False


def move_for(own_move: int, played: list[str]) -> str | None:
    """The move to say; None: nothing is to be said."""
    ASKED.append(own_move)
    if len(ASKED) == int(OPTIONS.get("lives", "0")):
        moan("out of lives")
        os._exit(9)
    if "ms" in OPTIONS:
        time.sleep(int(OPTIONS["ms"]) / 1000)
    if FAULT == "noisy":
        os.write(
            1, b"info string \xff\xfe bestmove a1a1\r\n\n  \ninfo depth\ninfo score cp\ninfo\n" + b"x" * 200_000 + b"\n"
        )
        moan("bestmove a1a1\n" * 2000)
    if FAULT == "big-numbers":
        say(f"info depth {10**30} score cp {10**25} nodes {2**70} time -1 nps {10**20}\ninfo score mate {10**19}")
    if FAULT == "impossible-pv":
        say("info depth 2 multipv 1 score cp 11 nodes 9 pv a1a1 e9e9 bestmove 0000 \xe9\ninfo depth 3 pv score cp 99")
    if FAULT == "much-info":
        for _ in range(200):
            os.write(1, b"info depth 9 currmove e2e4 currmovenumber 1\n" * 3000)
        say("info depth 9 score cp 21 nodes 5\ninfo multipv 2 score cp -90")
    if go_wrong(own_move, played):
        return None
    return GAME[len(played)] if len(played) < len(GAME) else "0000"


def uci() -> None:
    played: list[str] = []
    own_move = 0
    while True:
        line = read()
        word = line.partition(" ")[0]
        if word == "uci":
            if strikes("no-uciok"):
                sleep_for_ever()
            say("Scripted engine, a banner\n\nid name Scripted\nid author nobody")
            say("option name Hash type spin default 16 min 1 max 64\noption name OwnBook type check default true")
            say("option name Style Of Play type combo default Normal var Normal var Very Solid")
            say("option name Clear Hash type button\noption name UCI_Chess960 type check default false")
            say("uciok  ")
        elif word == "isready":
            if FAULT == "glued-readyok":
                say("0readyok")
                continue
            if strikes("no-readyok") or (own_move == AT and strikes("deaf-between-moves")):
                sleep_for_ever()
            if own_move == AT and strikes("crash-between-moves"):
                os._exit(4)
            say("  readyok ")
        elif word == "ucinewgame":
            if strikes("crash-at-new-game"):
                moan("cannot clear the table")
                os._exit(5)
            own_move = 0
        elif word == "position":
            played = line.partition(" moves ")[2].split()
            if strikes("crash-at-position"):
                os._exit(6)
            if FAULT == "stale-bestmove":
                say("bestmove a2a3")
        elif word == "go":
            own_move += 1
            say("info depth 1 seldepth 2 score cp 13 nodes 77 time 1 pv e2e4 depth 99")
            text = move_for(own_move, played)
            if text is not None:
                if FAULT == "stray-bytes":
                    os.write(1, b"\0\xef\xbb\xbf bestmove\t%s\0\x07\xa0\r\n" % text.encode())
                elif FAULT == "ponder":
                    say(f"bestmove {text} ponder a1a1")
                else:
                    say(f"bestmove {text}")
                if FAULT == "talks-always":
                    for _ in range(50):
                        os.write(1, b"info string thinking on your time, bestmove a1a1\n" * 100)
                if FAULT == "two-bestmoves":
                    say("bestmove a2a3")
                if own_move == AT and strikes("crash-on-opponents-turn"):
                    time.sleep(0.05)
                    os._exit(7)
        elif word == "quit":
            if FAULT == "crash-at-quit":
                os.kill(os.getpid(), signal.SIGSEGV)
            if FAULT != "ignores-quit":
                return


def xboard() -> None:
    played: list[str] = []
    own_move = 0
    force = True

    def think() -> None:
        nonlocal own_move
        own_move += 1
        say(f" 3. 25 1 123 {GAME[len(played)] if len(played) < len(GAME) else ''}")
        text = move_for(own_move, played)
        if text is not None:
            say(("My move is: " if FAULT == "old-words" else "move ") + text)
            played.append(text)

    while True:
        line = read()
        word, _, rest = line.partition(" ")
        if word == "protover":
            if FAULT != "no-features":
                say('feature done=0 myname="Scripted \\"x\\"" variants="normal,fischerandom"')
                if FEATURES:
                    say("feature " + FEATURES)
                say('feature option="Style -combo Normal /// *Solid" option="Level -spin 3 0 9"\nfeature done=1')
        elif word == "ping":
            say("pong " + rest)
        elif word == "new":
            if FAULT == "stale-lines":
                say("move a2a3\n1-0 {stale}\nresign\nIllegal move: e2e4")
            played, own_move, force = [], 0, False
        elif word == "force":
            force = True
        elif word == "go":
            force = False
            think()
        elif word == "usermove" or (len(word) in (4, 5) and word[1:2].isdigit() and word[3:4].isdigit()):
            played.append(rest if word == "usermove" else word)
            if not force:
                think()
        elif word == "sd" and FAULT == "no-sd":
            say("Illegal move: " + line)
        elif word == "quit":
            return


def leave_a_daemon(*, hidden: bool) -> int:
    """Start a process that leaves the session and the parent; hidden: without the environment, too."""
    read_end, write_end = os.pipe()
    child = os.fork()
    if child == 0:
        os.setsid()
        if os.fork():
            os._exit(0)
        os.write(write_end, str(os.getpid()).encode())
        if hidden:
            program = [sys.executable, "-I", "-S", "-c", "import time; time.sleep(60)"]
            os.execve(program[0], program, {})  # noqa: S606
        sleep_for_ever()
    os.waitpid(child, 0)
    return int(os.read(read_end, 20))


def main() -> None:
    if "starts" in OPTIONS:
        with open(OPTIONS["starts"], "ab") as handle:
            handle.write(b"x")
            number = handle.tell()
        if str(number) in OPTIONS.get("failing", "").split(","):
            moan(f"start {number} refused")
            sys.exit(1)
    if strikes("no-start"):
        moan("cannot open the network file")
        sys.exit(1)
    numbers = [os.getpid()]
    if FAULT == "child":
        child = os.fork()
        if child == 0:
            sleep_for_ever()
        numbers.append(child)
    if FAULT in ("daemon", "daemon-crash", "hidden-daemon"):
        numbers.append(leave_a_daemon(hidden=FAULT == "hidden-daemon"))
    if "pid" in OPTIONS:
        with open(OPTIONS["pid"], "w", encoding="ascii") as handle:
            handle.write(" ".join(map(str, numbers)))
    (xboard if XBOARD else uci)()


main()
