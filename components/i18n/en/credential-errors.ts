/** What the API says of wrong credentials of clouds, in the words of the form. */
export const credentialErrors = {
  "must be an access key: AKIA… or ASIA…": "An access key begins with AKIA or ASIA.",
  "must be the secret of an access key": "This is not the secret of an access key. Copy the whole of it.",
  "is required: keys that begin with ASIA belong to a session":
    "Keys that begin with ASIA need their session token.",
  "must be the name of a region, such as us-east-1": "Use the name of a region, such as us-east-1.",
  "is required: the host of baseUrl does not tell it":
    "Fill in the region: the host of the base URL does not tell it.",
  "must be the name of a service, such as bedrock": "Use the name of a service, such as bedrock.",
  "must be the ARN of a role, such as arn:aws:iam::123456789012:role/name":
    "Use the ARN of a role, such as arn:aws:iam::123456789012:role/name.",
  "must be the absolute path of a file": "Use the whole path of a file, from / on.",
  "must be 2 to 64 letters, digits and _ + = , . @ -": "Use 2 to 64 letters, digits and _ + = , . @ -",
  "must be 2 to 1224 letters, digits and _ + = , . @ : / -":
    "Use 2 to 1224 letters, digits and _ + = , . @ : / -",
  "must be an id such as 00000000-0000-0000-0000-000000000000":
    "Use an id such as 00000000-0000-0000-0000-000000000000.",
  "must be an address that ends in /.default": "Use an address that ends in /.default.",
  "must have one id at most": "Fill in one id at most.",
  "must be the resource id of a user-assigned identity":
    "Use the resource id of a user-assigned identity, from /subscriptions on.",
  "must be default or the mail of a service account": "Use default, or the mail of a service account.",
  "must be the JSON of the file": "Paste the whole JSON file.",
  "type must be service_account": "This file is not the key of a service account.",
  "type must be external_account": "This file is not that of an identity federation.",
  "takes what this machine lends; set CLOUD_CREDENTIALS_AMBIENT=1 to allow that":
    "Identities of this machine are not allowed. Set CLOUD_CREDENTIALS_AMBIENT=1 to allow them.",
  "cannot be used on this machine: private_key_invalid": "The private key in the file cannot be read.",
  "cannot be used on this machine: token_file_unreadable": "The token file cannot be read on the server.",
  "cannot be used on this machine: environment_missing":
    "The environment of the server does not name what is needed.",
};
