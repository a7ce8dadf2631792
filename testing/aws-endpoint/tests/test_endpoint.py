"""What the endpoint does beside moto, asked by AWS's SDK for Python. What our provider asks is tested with the SDK it
uses, in testing/e2e."""

import base64
import json
import pathlib
import subprocess
import sys
import unittest
import urllib.error
import urllib.request

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError, ConnectionClosedError

ENDPOINT = pathlib.Path(__file__).resolve().parents[1] / "endpoint"
CLUSTER = "test-cluster"
ROLE = "arn:aws:iam::123456789012:role/test-role"


class EndpointTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        command = [sys.executable, str(ENDPOINT)]
        cls.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        cls.origin = f"http://127.0.0.1:{int(cls.process.stdout.readline())}"
        cls.clients = {}

    @classmethod
    def tearDownClass(cls):
        cls.process.stdin.close()
        cls.process.wait(10)
        cls.process.stdout.close()

    def setUp(self):
        self.sim("POST", "fixture", {})

    def client(self, service):
        if service not in self.clients:
            self.clients[service] = boto3.client(
                service,
                endpoint_url=self.origin,
                region_name="us-east-1",
                aws_access_key_id="id",
                aws_secret_access_key="secret",
                config=Config(retries={"max_attempts": 0}),
            )
        return self.clients[service]

    def sim(self, method, what, body=None):
        data = json.dumps(body).encode() if body is not None else None
        request = urllib.request.Request(f"{self.origin}/_sim/{what}", method=method, data=data)
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)

    def refusal(self, call):
        with self.assertRaises(ClientError) as caught:
            call()
        return caught.exception.response["Error"]["Code"]

    def launch(self, **more):
        network = [{"DeviceIndex": 0, "SubnetId": "subnet-test1", "Groups": ["sg-test1"]}]
        wanted = {"MinCount": 1, "MaxCount": 1, "InstanceType": "m5.large", "NetworkInterfaces": network}
        answer = self.client("ec2").run_instances(**{**wanted, "ImageId": "ami-al2023amd64standard", **more})
        return answer["Instances"][0]

    # ---- control

    def test_a_reset_forgets_what_was_made(self):
        self.launch()
        self.sim("POST", "reset")
        self.assertEqual(self.client("ec2").describe_instances()["Reservations"], [])
        names = [each.get("SubnetId") for each in self.client("ec2").describe_subnets()["Subnets"]]
        self.assertNotIn("subnet-test1", names)
        self.assertEqual(self.refusal(lambda: self.client("iam").get_role(RoleName="test-role")), "NoSuchEntity")

    def test_the_same_calls_make_the_same_ids(self):
        first = self.launch()["InstanceId"]
        self.sim("POST", "fixture", {})
        self.assertEqual(self.launch()["InstanceId"], first)

    def test_an_unknown_setting_is_refused(self):
        with self.assertRaises(urllib.error.HTTPError) as caught:
            self.sim("PUT", "settings", {"pendingSecond": 1})
        with caught.exception as answer:
            self.assertIn("pendingSecond", answer.read().decode())

    def test_requests_are_kept_under_the_names_of_the_api(self):
        self.client("ec2").describe_subnets(Filters=[{"Name": "tag:a", "Values": ["b", "c"]}])
        kept = self.sim("GET", "requests?action=DescribeSubnets")["requests"]
        self.assertEqual(kept, [{"Filters": [{"Name": "tag:a", "Values": ["b", "c"]}]}])

    # ---- faults

    def test_a_fault_tells_its_code_in_every_protocol(self):
        calls = {
            "DescribeVpcs": lambda: self.client("ec2").describe_vpcs(),
            "GetRole": lambda: self.client("iam").get_role(RoleName="x"),
            "GetParameter": lambda: self.client("ssm").get_parameter(Name="/x"),
            "GetQueueUrl": lambda: self.client("sqs").get_queue_url(QueueName="x"),
            "DescribeCluster": lambda: self.client("eks").describe_cluster(name="x"),
        }
        self.sim("PUT", "faults", {"api": [{"action": each, "code": "Odd", "status": 400} for each in calls]})
        self.assertEqual({self.refusal(call) for call in calls.values()}, {"Odd"})

    def test_a_fault_chooses_its_calls(self):
        fault = {"action": "DescribeSubnets", "code": "Odd", "match": "subnet-test2", "skip": 1, "times": 1}
        self.sim("PUT", "faults", {"api": [fault]})
        ec2 = self.client("ec2")
        ec2.describe_subnets(SubnetIds=["subnet-test1"])
        ec2.describe_subnets(SubnetIds=["subnet-test2"])
        self.assertEqual(self.refusal(lambda: ec2.describe_subnets(SubnetIds=["subnet-test2"])), "Odd")
        ec2.describe_subnets(SubnetIds=["subnet-test2"])

    def test_a_call_may_be_carried_out_and_not_answered(self):
        instance = self.launch()["InstanceId"]
        self.sim("PUT", "faults", {"api": [{"action": "TerminateInstances", "drop": "after"}]})
        with self.assertRaises(ConnectionClosedError):
            self.client("ec2").terminate_instances(InstanceIds=[instance])
        self.assertEqual(self.sim("GET", "instances")["instances"][0]["state"], "terminated")

    # ---- instances

    def test_states_take_their_time(self):
        self.sim("PUT", "settings", {"pendingSeconds": 60, "terminatingSeconds": 60})
        instance = self.launch()["InstanceId"]
        self.assertEqual(self.state(instance), "pending")
        self.sim("POST", "clock", {"advanceSeconds": 61})
        self.assertEqual(self.state(instance), "running")
        self.client("ec2").terminate_instances(InstanceIds=[instance])
        self.assertEqual(self.state(instance), "shutting-down")
        self.sim("POST", "clock", {"advanceSeconds": 61})
        self.assertEqual(self.state(instance), "terminated")

    def state(self, instance):
        answer = self.client("ec2").describe_instances(InstanceIds=[instance])
        return answer["Reservations"][0]["Instances"][0]["State"]["Name"]

    def test_one_unknown_id_ends_none(self):
        instance = self.launch()["InstanceId"]
        ids = [instance, "i-00000000000000fff"]
        code = self.refusal(lambda: self.client("ec2").terminate_instances(InstanceIds=ids))
        self.assertEqual(code, "InvalidInstanceID.NotFound")
        self.assertEqual(self.state(instance), "running")

    def test_an_image_of_the_wrong_architecture_is_refused(self):
        code = self.refusal(lambda: self.launch(ImageId="ami-al2023arm64standard"))
        self.assertEqual(code, "InvalidParameterValue")

    def test_groups_of_another_network_are_refused(self):
        ec2 = self.client("ec2")
        other = ec2.create_vpc(CidrBlock="10.1.0.0/16")["Vpc"]["VpcId"]
        group = ec2.create_security_group(GroupName="other", Description="-", VpcId=other)["GroupId"]
        network = [{"DeviceIndex": 0, "SubnetId": "subnet-test1", "Groups": [group]}]
        self.assertEqual(self.refusal(lambda: self.launch(NetworkInterfaces=network)), "InvalidParameter")

    def test_a_spread_group_is_full_with_seven_in_a_zone(self):
        self.sim("PUT", "placement-groups", [{"GroupId": "pg-1", "Strategy": "spread"}])
        for _ in range(7):
            self.launch(Placement={"GroupId": "pg-1"})
        code = self.refusal(lambda: self.launch(Placement={"GroupId": "pg-1"}))
        self.assertEqual(code, "InsufficientInstanceCapacity")

    def test_instances_of_a_partition_group_are_spread_over_its_partitions(self):
        self.sim("PUT", "placement-groups", [{"GroupId": "pg-1", "Strategy": "partition", "PartitionCount": 2}])
        numbers = [self.launch(Placement={"GroupId": "pg-1"})["Placement"]["PartitionNumber"] for _ in range(3)]
        self.assertEqual(numbers, [1, 2, 1])

    def test_an_unknown_filter_is_refused(self):
        filters = [{"Name": "colour", "Values": ["red"]}]
        code = self.refusal(lambda: self.client("ec2").describe_instances(Filters=filters))
        self.assertEqual(code, "InvalidParameterValue")

    def test_user_data_is_limited(self):
        data = {"ImageId": "ami-test1", "UserData": "YWFh" * 6000}
        ec2 = self.client("ec2")
        code = self.refusal(lambda: ec2.create_launch_template(LaunchTemplateName="a", LaunchTemplateData=data))
        self.assertEqual(code, "InvalidUserData.Malformed")

    # ---- other services

    def test_events_reach_the_queue_of_their_rule(self):
        sqs, events = self.client("sqs"), self.client("events")
        url = sqs.create_queue(QueueName="events")["QueueUrl"]
        arn = sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]
        events.put_rule(Name="rule", EventPattern=json.dumps({"source": ["ours"]}))
        events.put_targets(Rule="rule", Targets=[{"Id": "1", "Arn": arn}])
        events.put_events(Entries=[{"Source": "ours", "DetailType": "a kind", "Detail": '{"a": "b"}'}])
        body = json.loads(sqs.receive_message(QueueUrl=url)["Messages"][0]["Body"])
        self.assertEqual((body["version"], body["detail-type"], body["detail"]), ("0", "a kind", {"a": "b"}))

    def test_a_message_that_is_not_deleted_comes_back(self):
        sqs = self.client("sqs")
        url = sqs.get_queue_url(QueueName=CLUSTER)["QueueUrl"]
        sqs.send_message(QueueUrl=url, MessageBody="again")
        sqs.receive_message(QueueUrl=url, VisibilityTimeout=0)
        self.assertEqual(sqs.receive_message(QueueUrl=url)["Messages"][0]["Body"], "again")

    def test_a_cluster_keeps_its_access_identities_and_add_ons(self):
        eks = self.client("eks")
        network = {"subnetIds": ["subnet-test1"]}
        access = {"authenticationMode": "API"}
        eks.create_cluster(name="other", roleArn=ROLE, resourcesVpcConfig=network, accessConfig=access)
        told = eks.describe_cluster(name="other")["cluster"]
        self.assertEqual(told["accessConfig"]["authenticationMode"], "API")
        account = {"namespace": "kube-system", "serviceAccount": "karpenter", "roleArn": ROLE}
        made = eks.create_pod_identity_association(clusterName="other", **account)["association"]
        listed = eks.list_pod_identity_associations(clusterName="other")["associations"]
        self.assertEqual([each["associationId"] for each in listed], [made["associationId"]])
        eks.create_access_entry(clusterName="other", principalArn=ROLE, type="EC2_LINUX")
        self.assertEqual(eks.list_access_entries(clusterName="other")["accessEntries"], [ROLE])
        eks.create_addon(clusterName="other", addonName="eks-pod-identity-agent")
        eks.delete_addon(clusterName="other", addonName="eks-pod-identity-agent")
        code = self.refusal(lambda: eks.describe_addon(clusterName="other", addonName="eks-pod-identity-agent"))
        self.assertEqual(code, "ResourceNotFoundException")

    def test_a_node_group_has_nodes_that_go_with_it(self):
        eks, ec2 = self.client("eks"), self.client("ec2")
        subnets = ["subnet-test1", "subnet-test2"]
        eks.create_cluster(name="other", roleArn=ROLE, resourcesVpcConfig={"subnetIds": subnets})
        size = {"minSize": 1, "maxSize": 3, "desiredSize": 3}
        group = {"clusterName": "other", "nodegroupName": "workers"}
        eks.create_nodegroup(
            **group, subnets=subnets, nodeRole=ROLE, instanceTypes=["m7g.large"], scalingConfig=size
        )
        tagged = [{"Name": "tag:eks:nodegroup-name", "Values": ["workers"]}]
        found = ec2.describe_instances(Filters=tagged)["Reservations"]
        nodes = [each for reservation in found for each in reservation["Instances"]]
        self.assertEqual([each["SubnetId"] for each in nodes], ["subnet-test1", "subnet-test2", "subnet-test1"])
        self.assertEqual({each["InstanceType"] for each in nodes}, {"m7g.large"})
        self.assertEqual(self.refusal(lambda: eks.delete_cluster(name="other")), "ResourceInUseException")
        eks.delete_nodegroup(**group)
        states = {each["state"] for each in self.sim("GET", "instances")["instances"]}
        self.assertLessEqual(states, {"shutting-down", "terminated"})
        eks.delete_cluster(name="other")

    def test_a_cluster_that_was_made_may_be_a_real_one(self):
        eks = self.client("eks")
        self.sim("PUT", "cluster-facts", {"endpoint": "https://127.0.0.1:6443", "certificateAuthority": {"data": "Y2E="}})
        eks.create_cluster(name="other", roleArn=ROLE, resourcesVpcConfig={"subnetIds": ["subnet-test1"]})
        told = eks.describe_cluster(name="other")["cluster"]
        self.assertEqual((told["endpoint"], told["certificateAuthority"]["data"]), ("https://127.0.0.1:6443", "Y2E="))

    def test_a_cluster_has_service_addresses_whatever_was_asked_of_its_network(self):
        eks = self.client("eks")
        wanted = {"elasticLoadBalancing": {"enabled": False}}
        network = {"subnetIds": ["subnet-test1"]}
        eks.create_cluster(name="other", roleArn=ROLE, resourcesVpcConfig=network, kubernetesNetworkConfig=wanted)
        told = eks.describe_cluster(name="other")["cluster"]["kubernetesNetworkConfig"]
        self.assertEqual(told["serviceIpv4Cidr"], "10.100.0.0/16")

    def test_nobody_may_reach_into_a_node_group_unasked(self):
        eks = self.client("eks")
        eks.create_cluster(name="other", roleArn=ROLE, resourcesVpcConfig={"subnetIds": ["subnet-test1"]})
        eks.create_nodegroup(clusterName="other", nodegroupName="system", subnets=["subnet-test1"], nodeRole=ROLE)
        told = eks.describe_nodegroup(clusterName="other", nodegroupName="system")["nodegroup"]
        self.assertFalse(told.get("remoteAccess"))

    def review(self, token):
        spec = {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenReview", "spec": {"token": token}}
        return self.sim("POST", "token-reviews", spec)["status"]

    def test_a_token_of_eks_is_a_signed_question_who_asks(self):
        address = f"{self.origin}/?Action=GetCallerIdentity&Version=2011-06-15&X-Amz-SignedHeaders=host%3Bx-k8s-aws-id"
        token = base64.urlsafe_b64encode(address.encode()).decode().rstrip("=")
        self.assertEqual(self.review("k8s-aws-v1." + token)["user"]["groups"], ["system:masters"])
        self.assertFalse(self.review("k8s-aws-v1.bm90aGluZw")["authenticated"])
        self.assertFalse(self.review("k8s-aws-v1.*")["authenticated"])
        self.assertFalse(self.review("another")["authenticated"])

    def test_policies_and_roles_of_aws_are_there_when_asked_for(self):
        iam = self.client("iam")
        policy = "arn:aws:iam::aws:policy/AmazonEKSWorkerNodePolicy"
        iam.attach_role_policy(RoleName="test-role", PolicyArn=policy)
        attached = iam.list_attached_role_policies(RoleName="test-role")["AttachedPolicies"]
        self.assertEqual([each["PolicyArn"] for each in attached], [policy])
        unknown = "arn:aws:iam::aws:policy/NoSuchPolicy"
        code = self.refusal(lambda: iam.attach_role_policy(RoleName="test-role", PolicyArn=unknown))
        self.assertEqual(code, "NoSuchEntity")
        made = iam.create_service_linked_role(AWSServiceName="spot.amazonaws.com")["Role"]
        self.assertEqual(made["RoleName"], "AWSServiceRoleForEC2Spot")

    def test_the_account_tells_what_is_there(self):
        before = self.sim("GET", "account")["things"]
        self.assertIn("roles: test-role", before)
        self.assertIn("queues: test-cluster", before)
        iam = self.client("iam")
        iam.create_role(RoleName="new", AssumeRolePolicyDocument="{}")
        iam.attach_role_policy(RoleName="new", PolicyArn="arn:aws:iam::aws:policy/AmazonEKSWorkerNodePolicy")
        self.client("events").put_rule(Name="rule", EventPattern='{"source": ["aws.ec2"]}')
        self.client("eks").create_access_entry(clusterName=CLUSTER, principalArn=ROLE)
        after = self.sim("GET", "account")["things"]
        made = [f"access-entries: {CLUSTER}/{ROLE}", "roles: new", "rules: rule"]
        self.assertEqual(sorted(set(after) - set(before)), made)

    def test_the_account_tells_of_networks_and_of_what_clusters_have(self):
        before = self.sim("GET", "account")["things"]
        ec2, eks = self.client("ec2"), self.client("eks")
        vpc = ec2.create_vpc(CidrBlock="10.7.0.0/16")["Vpc"]["VpcId"]
        subnet = ec2.create_subnet(VpcId=vpc, CidrBlock="10.7.0.0/24")["Subnet"]["SubnetId"]
        address = ec2.allocate_address(Domain="vpc")["AllocationId"]
        gateway = ec2.create_internet_gateway()["InternetGateway"]["InternetGatewayId"]
        nat = ec2.create_nat_gateway(SubnetId=subnet, AllocationId=address)["NatGateway"]["NatGatewayId"]
        network = {"subnetIds": [subnet], "securityGroupIds": []}
        eks.create_cluster(name="new", roleArn=ROLE, resourcesVpcConfig=network)
        eks.create_fargate_profile(
            clusterName="new", fargateProfileName="pods", podExecutionRoleArn=ROLE, selectors=[{"namespace": "a"}]
        )
        eks.create_nodegroup(clusterName="new", nodegroupName="nodes", nodeRole=ROLE, subnets=[subnet])
        made = sorted(set(self.sim("GET", "account")["things"]) - set(before))
        wanted = [f"addresses: {address}", "clusters: new", "fargate profiles: new/pods"]
        wanted += [f"internet gateways: {gateway}", f"nat gateways: {nat}", "node groups: new/nodes"]
        self.assertEqual(made, [*wanted, f"subnets: {subnet}", f"vpcs: {vpc}"])
        ec2.delete_nat_gateway(NatGatewayId=nat)
        self.assertNotIn(f"nat gateways: {nat}", self.sim("GET", "account")["things"])

    def test_an_addon_keeps_its_configuration(self):
        eks = self.client("eks")
        eks.create_addon(clusterName=CLUSTER, addonName="coredns", configurationValues='{"a": 1}')
        told = eks.describe_addon(clusterName=CLUSTER, addonName="coredns")["addon"]
        self.assertEqual(told["configurationValues"], '{"a": 1}')

    def test_the_role_for_spot_lies_below_its_service(self):
        self.sim("POST", "roles", ["AWSServiceRoleForEC2Spot"])
        found = self.client("iam").list_roles(PathPrefix="/aws-service-role/spot.amazonaws.com/")["Roles"]
        self.assertEqual([each["RoleName"] for each in found], ["AWSServiceRoleForEC2Spot"])

    def test_what_the_fixture_made_can_be_tagged(self):
        ec2 = self.client("ec2")
        ec2.create_tags(Resources=["subnet-test1", "sg-test1"], Tags=[{"Key": "a", "Value": "b"}])
        found = ec2.describe_subnets(Filters=[{"Name": "tag:a", "Values": ["b"]}])["Subnets"]
        self.assertEqual([each["SubnetId"] for each in found], ["subnet-test1"])

    def test_every_family_has_its_newest_image(self):
        ssm = self.client("ssm")
        eks = "/aws/service/eks/optimized-ami/1.35"
        newest = {
            f"{eks}/amazon-linux-2/recommended/image_id": "ami-al2amd64standard",
            f"{eks}/amazon-linux-2-gpu/recommended/image_id": "ami-al2amd64gpu",
            f"{eks}/amazon-linux-2023/x86_64/neuron/recommended/image_id": "ami-al2023amd64neuron",
            "/aws/service/bottlerocket/aws-k8s-1.35-nvidia/arm64/latest/image_id": "ami-bottlerocketarm64nvidia",
            "/aws/service/bottlerocket/aws-k8s-1.35/x86_64/1.45.0/image_id": "ami-bottlerocketamd64standardold",
            "/aws/service/ami-windows-latest/Windows_Server-2025-English-Core-EKS_Optimized-1.35/image_id":
                "ami-windows2025",
        }
        found = {name: ssm.get_parameter(Name=name)["Parameter"]["Value"] for name in newest}
        self.assertEqual(found, newest)


if __name__ == "__main__":
    unittest.main()
