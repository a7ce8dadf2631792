output "cluster_name" {
  description = "Name of the cluster, known when it is there."
  value       = aws_eks_cluster.this.id
}

output "cluster_endpoint" {
  description = "URL of the API server."
  value       = aws_eks_cluster.this.endpoint
}

output "cluster_certificate_authority_data" {
  description = "Certificate authority of the API server, base64."
  value       = aws_eks_cluster.this.certificate_authority[0].data
}

output "node_security_group_id" {
  description = "Security group of the nodes."
  value       = aws_security_group.node.id
}
