"""An AWS endpoint for tests, on loopback. Prints the port it listens on as its first line and ends with its standard
input, so that it does not outlive whoever started it."""

import argparse
import os
import sys
import threading
import time
import traceback
import urllib.parse

os.environ.setdefault("MOTO_EC2_LOAD_DEFAULT_AMIS", "false")

from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app  # noqa: E402

import control  # noqa: E402
import ec2  # noqa: E402
import eks  # noqa: E402
import queues  # noqa: E402
import services  # noqa: E402
import wire  # noqa: E402
from catalogue import DIRECTORY, Catalogue  # noqa: E402
from server import Answer, Request, Server, ask_wsgi  # noqa: E402
from state import State  # noqa: E402


class Endpoint:
    def __init__(self, catalogue):
        self.state = State(catalogue)
        self.moto = DomainDispatcherApplication(create_backend_app)
        ec2.teach_moto(self.state)

    def answer(self, request):
        told = services.metadata(request.method, request.path)
        if told is not None:
            return Answer(200, told.encode(), "text/plain")
        if request.path.startswith("/_sim/"):
            return control.answer(self.state, request)
        call = Call(request)
        agent = request.headers.get("user-agent", "")
        with self.state.lock:
            self.state.record(call.action, call.parameters, agent, wire.key_of(request))
            fault = self.state.fault_of(call.action, call.parameters)
        if fault is None:
            return self.carry_out(call)
        time.sleep(fault["delayMillis"] / 1000)
        if fault["drop"] == "before":
            return None
        if fault["code"]:
            return wire.refusal(call.service, fault["code"], fault["message"], fault["status"])
        answer = self.carry_out(call)
        return None if fault["drop"] == "after" else answer

    def carry_out(self, call):
        try:
            if call.service == "sqs" and call.action in queues.ACTIONS:
                # Outside the lock: a long poll holds nobody up.
                return wire.json_of(queues.ACTIONS[call.action](self.state, call.parameters))
            with self.state.lock:
                return self.ours(call) or self.motos(call)
        except wire.Refusal as refusal:
            return wire.refusal(call.service, refusal.code, refusal.message, refusal.status)
        except Exception as failure:  # Ours, not AWS's: told so that no client tries again.
            traceback.print_exc()
            return wire.refusal(call.service, "EndpointBroken", repr(failure), 400)

    def ours(self, call):
        if call.service == "ec2":
            return ec2.answer(self.state, call.action, call.parameters)
        if (call.service, call.action) in services.JSON_ACTIONS:
            told = services.JSON_ACTIONS[call.service, call.action](self.state, call.parameters)
            return None if told is None else wire.json_of(told)
        if call.is_rest:
            told = services.rest(self.state, call.action, call.request.path)
            if told is None and call.service == "eks":
                told = eks.answer(self.state, call.request)
            return None if told is None else wire.plain(told)
        return None

    def motos(self, call):
        if call.service == "ec2" and call.action in ec2.PAGED_BY_MOTO:
            if call.parameters.get("DryRun"):
                raise ec2.fleet.dry_run()
            form = ec2.without_paging(call.action, call.form)
            body = urllib.parse.urlencode(form).encode()
            request = Request(call.request.method, call.request.target, call.request.headers, body)
            return ec2.cut(self.state, call.action, call.parameters, ask_wsgi(self.moto, request))
        answer = ask_wsgi(self.moto, call.request)
        return eks.follow(self.state, call.request, answer) if call.service == "eks" else answer


class Call:
    """A request with what it asks for, whatever its protocol."""

    def __init__(self, request):
        self.request = request
        self.service = wire.service_of(request)
        self.form = wire.form_of(request)
        target = request.headers.get("x-amz-target", "")
        self.is_rest = False
        if self.form.get("Action"):
            self.action = self.form["Action"]
            if self.service == "ec2":
                self.parameters = wire.decode(self.action, self.form)
            else:
                self.parameters = wire.tree(self.form)
        elif target:
            self.action = target.rsplit(".", 1)[-1]
            self.parameters = request.json()
        else:
            self.is_rest = True
            self.action = services.rest_action(self.service, request.method, request.path)
            self.parameters = {"path": request.path, "body": request.body.decode(errors="replace")}


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--port", type=int, default=0, help="0: any free one")
    arguments.add_argument("--catalogue", default=str(DIRECTORY), help="directory of the EC2 catalogue")
    arguments.add_argument("--forever", action="store_true", help="do not end with the standard input")
    given = arguments.parse_args()
    endpoint = Endpoint(Catalogue(given.catalogue))
    server = Server("127.0.0.1", given.port, endpoint.answer)
    endpoint.state.origin = f"http://127.0.0.1:{server.port}"
    threading.Thread(target=server.serve, daemon=True).start()
    print(server.port, flush=True)
    if given.forever:
        threading.Event().wait()
    while sys.stdin.readline():
        pass


main()
