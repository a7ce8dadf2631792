"""Messages of SQS. Queues and their attributes are moto's; what is in them is kept here, because moto's long poll
wakes up now and then and is too slow for a storm of messages."""

import collections
import hashlib
import json
import threading
import time
import uuid

from moto.sqs.models import SQSBackend, sqs_backends

import wire
from state import ACCOUNT, REGION

VISIBILITY_SECONDS = 30
LONG_POLL_SECONDS_MAX = 20


class Queue:
    def __init__(self):
        self.waiting = collections.deque()
        self.hidden = {}  # receipt -> (message, when it comes back)
        self.deleted = 0


class Queues:
    def __init__(self):
        self.changed = threading.Condition()
        self.by_name = {}

    def forget(self):
        with self.changed:
            self.by_name = {}
            self.changed.notify_all()

    def send(self, name, bodies):
        with self.changed:
            queue = self.by_name.setdefault(name, Queue())
            for body in bodies:
                queue.waiting.append({"id": str(uuid.uuid4()), "body": body, "sent": int(time.time() * 1000)})
            self.changed.notify_all()

    def receive(self, name, count, hidden_seconds, wait_seconds):
        until = time.monotonic() + min(wait_seconds, LONG_POLL_SECONDS_MAX)
        with self.changed:
            queue = self.by_name.setdefault(name, Queue())
            while True:
                if self.by_name.get(name) is not queue:
                    return []
                now = time.monotonic()
                back = self._bring_back(queue, now)
                if queue.waiting or now >= until:
                    break
                self.changed.wait(min(until, back) - now)
            taken = []
            while queue.waiting and len(taken) < count:
                message = queue.waiting.popleft()
                receipt = uuid.uuid4().hex
                queue.hidden[receipt] = (message, now + hidden_seconds)
                taken.append((receipt, message))
            return taken

    @staticmethod
    def _bring_back(queue, now):
        """Returns when the next hidden message comes back."""
        due = [receipt for receipt, (_, at) in queue.hidden.items() if at <= now]
        for receipt in due:
            queue.waiting.append(queue.hidden.pop(receipt)[0])
        return min((at for _, at in queue.hidden.values()), default=float("inf"))

    def delete(self, name, receipt):
        with self.changed:
            queue = self.by_name.setdefault(name, Queue())
            if queue.hidden.pop(receipt, None):
                queue.deleted += 1

    def count(self, name):
        with self.changed:
            queue = self.by_name.setdefault(name, Queue())
            self._bring_back(queue, time.monotonic())
            return {"waiting": len(queue.waiting), "hidden": len(queue.hidden), "deleted": queue.deleted}


QUEUES = Queues()


def publish(state, queue, source, detail_type, detail, resources, at=None):
    """One event in the envelope in which EventBridge hands it to a queue."""
    event = {
        "version": "0",
        "id": str(uuid.uuid4()),
        "detail-type": detail_type,
        "source": source,
        "account": ACCOUNT,
        "time": at or wire.stamp(state.now())[:19] + "Z",
        "region": REGION,
        "resources": resources,
        "detail": detail,
    }
    QUEUES.send(queue, [json.dumps(event)])


def _name(body):
    name = body["QueueUrl"].rstrip("/").rsplit("/", 1)[-1]
    check(name)
    return name


def check(name):
    if name not in sqs_backends[ACCOUNT][REGION].queues:
        raise wire.Refusal("QueueDoesNotExist", "The specified queue does not exist.")


def queue_url(state, body):
    check(body["QueueName"])
    return {"QueueUrl": f"{state.origin}/{ACCOUNT}/{body['QueueName']}"}


def send_message(_, body):
    QUEUES.send(_name(body), [body["MessageBody"]])
    return {"MessageId": str(uuid.uuid4()), "MD5OfMessageBody": _md5(body["MessageBody"])}


def receive_message(_, body):
    taken = QUEUES.receive(
        _name(body),
        int(body.get("MaxNumberOfMessages") or 1),
        int(body.get("VisibilityTimeout", VISIBILITY_SECONDS)),
        int(body.get("WaitTimeSeconds") or 0),
    )
    return {"Messages": [_shown(receipt, message) for receipt, message in taken]} if taken else {}


def _shown(receipt, message):
    return {
        "MessageId": message["id"],
        "ReceiptHandle": receipt,
        "Body": message["body"],
        "MD5OfBody": _md5(message["body"]),
        "Attributes": {"SentTimestamp": str(message["sent"])},
    }


def _md5(text):
    return hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()


def delete_message(_, body):
    QUEUES.delete(_name(body), body["ReceiptHandle"])
    return {}


def delete_batch(_, body):
    name = _name(body)
    for entry in body["Entries"]:
        QUEUES.delete(name, entry["ReceiptHandle"])
    return {"Successful": [{"Id": entry["Id"]} for entry in body["Entries"]], "Failed": []}


ACTIONS = {
    "GetQueueUrl": queue_url,
    "SendMessage": send_message,
    "ReceiveMessage": receive_message,
    "DeleteMessage": delete_message,
    "DeleteMessageBatch": delete_batch,
}


def _from_moto(_, queue_name, message_body, *__, **___):
    QUEUES.send(queue_name, [message_body])


# What moto's EventBridge delivers goes where messages are.
SQSBackend.send_message = _from_moto
