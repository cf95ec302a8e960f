"""Many raters at once against a real server: what was acknowledged, how long pages took, what came back as an error."""

import http.client
import os
import random
import re
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode, urlsplit

_ACTION = re.compile(r'<form[^>]* action="([^"]*)"')
_STAMP = re.compile(r'name="stamp" value="([^"]*)"')


_TEXT = re.compile(r'<p dir="auto">([^<]*)</p>')
_TOWN = re.compile(r"[A-Z][a-z]+ [0-9]+")


def judge_carefully(html, _rng):
    """What somebody who reads says of two texts of `study_raters.examples`: whether they are of one town, and alike."""
    first, second = (" ".join(_TEXT.findall(part)) for part in html.split("passage-head")[1:3])
    if not set(_TOWN.findall(first)) & set(_TOWN.findall(second)):
        return 2
    left, right = (set(text.split()) for text in (first, second))
    return 97 if len(left & right) > 0.6 * len(left | right) else 50


def judge_anyhow(_html, rng):
    """A number that no control takes for right."""
    return rng.randint(11, 89)


def read_quickly(html):
    """The action of the form of a page, and its stamp: raters must not be busier than the server they wait for."""
    action, stamp = _ACTION.search(html), _STAMP.search(html)
    return (action[1] if action else ""), ({"stamp": stamp[1]} if stamp else {})


@dataclass
class Record:
    """What all raters saw; `acknowledged` are answers that the server said were saved."""

    seconds: list = field(default_factory=list)
    errors: list = field(default_factory=list)
    acknowledged: list = field(default_factory=list)
    lost_connections: int = 0
    waits_for_more: bool = False
    """Whether who finds nothing left looks again: somebody's work may fail, and is given out again."""
    lock: threading.Lock = field(default_factory=threading.Lock)


class Server:
    """`gistmeter annotate serve` in a process of its own, which can be killed and started again."""

    def __init__(self, folder, port, raters):
        self.program = [sys.executable, "-m", "gistmeter", "annotate", "serve", str(folder)]
        self.program += ["--port", str(port), "--open", str(raters)]
        self.raters = raters
        self.links = []
        self.start()

    def start(self):
        self.process = subprocess.Popen(self.program, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        lines = [self.process.stdout.readline() for _ in range(self.raters + 1)]
        self.links = [line.split(": ")[1].strip() for line in lines[:-1]]

    def measure_cpu(self):
        """Seconds of computing time that the process has used."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stop(self):
        self.process.terminate()
        self.process.wait(timeout=30)


class LoadRater(threading.Thread):
    """A rater who works until the time is over; each request is tried again when the connection is lost."""

    def __init__(self, link, record, until, think, seed, judge):
        super().__init__(daemon=True)
        self.judge = judge
        self.is_resting = False
        self.link, self.record, self.until, self.think = urlsplit(link), record, until, think
        self.rng = random.Random(seed)
        self.connection = None

    def request(self, method, path, body=None):
        headers = {"Content-Type": "application/x-www-form-urlencoded"} if body else {}
        while True:
            start = time.perf_counter()
            try:
                if self.connection is None:
                    self.connection = http.client.HTTPConnection(self.link.hostname, self.link.port, timeout=30)
                self.connection.request(method, path, body, headers)
                response = self.connection.getresponse()
                text = response.read().decode()
            except (OSError, http.client.HTTPException):
                self.connection = None
                with self.record.lock:
                    self.record.lost_connections += 1
                if time.monotonic() > self.until + 30:
                    raise
                time.sleep(0.3)
                continue
            with self.record.lock:
                self.record.seconds.append(time.perf_counter() - start)
                if response.status >= 400:
                    self.record.errors.append((response.status, method))
            return response, text

    def follow(self, method, path, body=None):
        """A request, and the page that it leads to."""
        response, text = self.request(method, path, body)
        while response.status == 303:
            path = response.getheader("location")
            response, text = self.request("GET", path)
        return path, text

    def run(self):
        time.sleep(self.rng.random() * self.think)
        _, text = self.follow("GET", self.link.path)
        while time.monotonic() < self.until:
            action, fields = read_quickly(text)
            self.is_resting = not action
            if action.rpartition("/")[2].isdigit():
                value = self.judge(text, self.rng)
                response, _ = self.request("POST", action, urlencode({**fields, "value": value}))
                if response.status == 303:
                    with self.record.lock:
                        self.record.acknowledged.append((action, fields["stamp"], value))
                _, text = self.follow("GET", response.getheader("location") or action)
                time.sleep(self.rng.uniform(0.5, 1.5) * self.think)
            elif action:
                _, text = self.follow("POST", action, urlencode(fields))
            elif self.record.waits_for_more:
                time.sleep(0.3)
                _, text = self.follow("GET", f"{self.link.path}/end")
            else:
                return  # nothing left


def run_load(server, *, seconds, think):
    """Let all raters of a server work for so long."""
    record = Record()
    people = _begin_work(server, record, time.monotonic() + seconds, think, careless=len(server.links))
    for person in people:
        person.join(timeout=seconds + 120)
    return record


def run_to_the_end(server, *, kills, answers, careless, seconds=1800):
    """Let all raters work without a pause until nothing is left, and kill the server each time so many are answered.

    It is killed while requests are on their way, and started again. So many raters are careless, and fail.
    """
    record = Record(waits_for_more=True)
    until = time.monotonic() + seconds
    people = _begin_work(server, record, until, think=0.0, careless=careless)
    for number in range(kills):
        wanted = (number + 1) * answers
        while len(record.acknowledged) < wanted and time.monotonic() < until:
            time.sleep(0.002)
        server.kill()
        server.start()
    resting = 0
    while resting < 10 and time.monotonic() < until:  # all of them, and each has looked again since the last came
        time.sleep(0.3)
        resting = resting + 1 if all(person.is_resting for person in people) else 0
    record.waits_for_more = False
    for person in people:
        person.join(timeout=60)
    return record


def _begin_work(server, record, until, think, careless):
    people = [
        LoadRater(link, record, until, think, seed, judge_anyhow if seed < careless else judge_carefully)
        for seed, link in enumerate(server.links)
    ]
    for person in people:
        person.start()
    return people
