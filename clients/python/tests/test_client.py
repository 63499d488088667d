"""The client against a server of its own: pages, retries, errors, and a stream that is cut."""

import asyncio
import json
import os
import threading
import time
import unittest
from datetime import datetime, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

from z100 import ApiError, AsyncClient, Client, ConnectionFailed, Open, RateLimit, Resync, Retract, SwapEvent, Waiting, is_api_error
from z100.operations import VERSION

ENTRIES = 200


def entries() -> list[tuple[str, str]]:
    """A feed of one block of two swaps an entry, of which every tenth replaces the block before."""
    feed = []
    for entry in range(ENTRIES):
        if entry % 10 == 9:
            data = {"block_number": entry, "block_hash": f"0x{entry - 1}", "timestamp": 1}
            feed.append((f"{entry + 1}.0", f"event: retract\ndata: {json.dumps(data)}"))
            continue
        for index in range(2):
            swap = {"block_hash": f"0x{entry}", "log_index": index, "token_symbol": "é\u2028\x85"}
            id = f"{entry}.1" if index == 0 else f"{entry + 1}.0"
            feed.append((id, f"data: {json.dumps(swap, ensure_ascii=False)}"))
    return feed


FEED = entries()


#: What `ready` says of a server that sends something each minute.
HEARTBEAT = '{"heartbeat_seconds": 60}'


#: A body that never ends.
DRIPS = object()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.0"

    def do_GET(self) -> None:
        self.server.asked.append((self.path, self.headers.get("authorization"), self.headers.get("x-client")))
        url = urlsplit(self.path)
        if url.path == "/stream/swaps":
            return self.stream()
        status, body, headers = self.server.answers.pop(0)
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        if body is DRIPS:
            return self.drip()
        self.wfile.write(body if isinstance(body, bytes) else json.dumps(body).encode())

    def drip(self) -> None:
        try:
            while True:
                self.wfile.write(b" ")
                time.sleep(0.02)
        except OSError:
            pass

    def stream(self) -> None:
        if parse_qs(urlsplit(self.path).query).get("type") == ["x"]:
            self.send_response(400)
            self.end_headers()
            self.wfile.write(b'{"error":{"code":"INVALID_PARAMETER","message":"no"}}')
            return
        last = self.headers.get("last-event-id")
        self.server.streams.append((self.path, last))
        self.send_response(200)
        self.end_headers()
        head = f"{ENTRIES}.0"
        self.wfile.write(f"retry: 1\n\nid: {last or head}\nevent: ready\ndata: {HEARTBEAT}\n\n".encode())
        if last == "expired":
            self.wfile.write(b'id: 3.0\nevent: resync\ndata: {"reason":"expired"}\n\n')
            return
        at = len(FEED) if last is None else 0 if last == "0.0" else [id for id, _ in FEED].index(last) + 1
        text = "".join(f"id: {id}\n{event}\n\n" for id, event in FEED[at:]).encode()
        # Cut in the middle of an event, twenty times at least.
        self.wfile.write(text[: 1_501])

    def log_message(self, *_: object) -> None:
        pass


class ClientTest(unittest.TestCase):
    def setUp(self) -> None:
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.asked, self.server.answers, self.server.streams = [], [], []
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        self.client = Client(self.url, "secret", max_wait_seconds=2)

    def tearDown(self) -> None:
        self.client.close()
        self.server.shutdown()
        self.server.server_close()

    def test_a_list_is_iterated_along_the_links(self) -> None:
        link = '</first>; rel="first", </v1/z100/creators?offset=1&snapshot=s>; rel="next"'
        self.server.answers = [(200, [{"symbol": "a"}], {"Link": link}), (200, [{"symbol": "b"}], {})]
        self.assertEqual([row["symbol"] for row in self.client.boards.creators(limit=1, period="24h")], ["a", "b"])
        self.assertEqual(
            self.server.asked,
            [
                ("/v1/z100/creators?period=24h&limit=1", "Bearer secret", f"z100-python/{VERSION}"),
                ("/v1/z100/creators?offset=1&snapshot=s", "Bearer secret", f"z100-python/{VERSION}"),
            ],
        )

    def test_an_answer_has_its_facts(self) -> None:
        limits = {"X-RateLimit-Limit": "100", "X-RateLimit-Remaining": "42", "X-RateLimit-Reset": "7200"}
        headers = {"X-Total-Count": "7", "X-Snapshot-Id": "s", "X-Data-Block": "12"} | limits
        self.server.answers = [(200, {"symbol": "a"}, headers)]
        answer = self.client.tokens.get("a/b").get()
        self.assertEqual((answer.body["symbol"], answer.total, answer.snapshot_id, answer.data_block), ("a", 7, "s", 12))
        self.assertEqual(answer.rate_limit, RateLimit(100, 42, datetime.fromtimestamp(7_200, timezone.utc)))
        self.assertEqual(self.server.asked[0][0], "/v1/tokens/a%2Fb")

    def test_the_key_is_that_of_the_environment_unless_another_or_none_is_given(self) -> None:
        os.environ["Z100_API_KEY"] = "of the environment"
        self.addCleanup(os.environ.pop, "Z100_API_KEY")
        self.server.answers = [(200, {}, {}), (200, {}, {})]
        Client(self.url).service.status().get()
        Client(self.url, "").service.status().get()
        self.assertEqual([key for _, key, _ in self.server.asked], ["Bearer of the environment", None])

    def test_a_failure_that_passes_is_tried_again(self) -> None:
        self.server.answers = [(503, b"<html>", {"Retry-After": "0"}), (200, {"status": "ok"}, {})]
        self.assertEqual(self.client.service.status().get().body["status"], "ok")

    def test_a_refusal_is_raised_with_its_code(self) -> None:
        error = {"error": {"code": "RATE_LIMIT_EXCEEDED", "message": "used up", "details": {"limit": 100}}}
        self.server.answers = [(429, error, {"Retry-After": "3600"})]
        with self.assertRaises(ApiError) as raised:
            self.client.boards.posts().get()
        self.assertEqual(
            (raised.exception.status, raised.exception.code, raised.exception.retry_after_seconds),
            (429, "RATE_LIMIT_EXCEEDED", 3600),
        )
        self.assertEqual(len(self.server.asked), 1)
        self.assertTrue(is_api_error(raised.exception, "RATE_LIMIT_EXCEEDED"))
        self.assertFalse(is_api_error(raised.exception, "UNAUTHORIZED") or is_api_error(ValueError()))

    def test_an_answer_that_is_not_the_api_s_says_what_came(self) -> None:
        html = {"Content-Type": "text/html"}
        for status, headers, message in (
            (200, html, "status 200, text/html"),
            (404, {}, "status 404, no content type"),
            (301, {"Location": "https://elsewhere.example"}, "redirects to https://elsewhere.example"),
        ):
            self.server.answers = [(status, b"<html>", headers)] * 2
            for read in (lambda: self.client.service.status().get(), lambda: asyncio.run(self.status_async())):
                with self.assertRaisesRegex(ApiError, message) as raised:
                    read()
                self.assertEqual((raised.exception.status, raised.exception.code), (status, "NO_ANSWER"))

    async def status_async(self, **limits: float) -> object:
        async with AsyncClient(self.url, "secret", **limits) as client:
            return await client.service.status()

    def test_the_asynchronous_client_reads_the_same(self) -> None:
        async def everything() -> list[str]:
            async with AsyncClient(self.url, "secret", max_wait_seconds=2) as client:
                rows = [row["symbol"] async for row in client.boards.creators(limit=1)]
                total = (await client.boards.posts()).total
                async for event in client.stream(last_event_id="0.0"):
                    if isinstance(event, SwapEvent):
                        return [*rows, str(total), event.id]
            return rows

        link = '</v1/z100/creators?offset=1>; rel="next"'
        pages = [(200, [{"symbol": "a"}], {"Link": link}), (200, [{"symbol": "b"}], {})]
        again = (503, {}, {"Retry-After": "0"})
        self.server.answers = [*pages, again, (200, [], {"X-Total-Count": "7"})]
        self.assertEqual(asyncio.run(everything()), ["a", "b", "7", "0.1"])

    def test_calls_of_one_client_are_not_read_like_the_other_s(self) -> None:
        with self.assertRaises(TypeError):
            AsyncClient(self.url).service.status().get()

        async def wrong() -> None:
            await self.client.service.status()

        with self.assertRaises(TypeError):
            asyncio.run(wrong())

    def test_a_service_that_cannot_be_reached_or_never_ends_is_told(self) -> None:
        with self.assertRaises(ConnectionFailed):
            Client("http://127.0.0.1:9", max_retries=0).service.status().get()
        self.server.answers = [(200, DRIPS, {})] * 2
        brief = {"timeout_seconds": 0.1, "max_retries": 0}
        with self.assertRaisesRegex(ConnectionFailed, "0.1 seconds"):
            Client(self.url, **brief).service.status().get()
        with self.assertRaisesRegex(ConnectionFailed, "0.1 seconds"):
            asyncio.run(self.status_async(**brief))

    def test_the_key_is_not_shown(self) -> None:
        self.assertNotIn("secret", repr(self.client) + str(vars(self.client)))

    def test_the_stream_gives_each_swap_once_over_cuts(self) -> None:
        standing, received, cuts = set(), 0, 0
        for event in self.client.stream(last_event_id="0.0"):
            if isinstance(event, SwapEvent):
                key = (event.swap["block_hash"], event.swap["log_index"])
                self.assertNotIn(key, standing)
                self.assertEqual(event.swap["token_symbol"], "é\u2028\x85")
                standing.add(key)
                received += 1
            elif isinstance(event, Retract):
                self.assertEqual(len(event.swaps), 2)
                standing -= {(swap["block_hash"], swap["log_index"]) for swap in event.swaps}
            elif isinstance(event, Waiting):
                cuts += 1
            if event.id == f"{ENTRIES}.0" and not isinstance(event, Open):
                break
        self.assertGreaterEqual(cuts, 20)
        self.assertEqual(received, 2 * ENTRIES * 9 // 10)
        self.assertEqual(len(standing), 2 * ENTRIES * 8 // 10)

    def test_the_stream_follows_the_heartbeat_of_the_server(self) -> None:
        told = [event for event, _ in zip(self.client.stream(last_event_id="expired"), range(2))]
        self.assertEqual(told, [Open("expired"), Resync("3.0", "expired")])
        # The first connection waits for 45 seconds at most, the second for three heartbeats of a minute.
        self.assertEqual([last for path, last in self.server.streams], ["expired", "expired"])

    def test_the_stream_tells_of_what_is_missing_and_of_refusals(self) -> None:
        told = [event for event, _ in zip(self.client.stream(last_event_id="expired"), range(2))]
        self.assertEqual(told, [Open("expired"), Resync("3.0", "expired")])
        with self.assertRaises(ApiError):
            next(self.client.stream(filter={"type": "x"}))


if __name__ == "__main__":
    unittest.main()
