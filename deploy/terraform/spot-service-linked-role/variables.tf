variable "owner" {
  description = "Who makes the role when it is missing, such as the cluster's name. It becomes a tag, by which the next plan knows its own role from one that was there before."
  type        = string

  validation {
    condition     = length(var.owner) > 0 && length(var.owner) <= 256
    error_message = "owner must have 1 to 256 characters: it becomes the value of a tag."
  }
}

variable "tags" {
  description = "More tags of the role."
  type        = map(string)
  default     = {}
}
