import type { credentialErrors as source } from "../en/credential-errors";

export const credentialErrors: typeof source = {
  "must be an access key: AKIA… or ASIA…": "访问密钥以 AKIA 或 ASIA 开头。",
  "must be the secret of an access key": "这不是私有访问密钥，请完整复制。",
  "is required: keys that begin with ASIA belong to a session": "以 ASIA 开头的密钥需要会话令牌。",
  "must be the name of a region, such as us-east-1": "请填写区域名称，例如 us-east-1。",
  "is required: the host of baseUrl does not tell it": "请填写区域：Base URL 的主机中没有区域。",
  "must be the name of a service, such as bedrock": "请填写服务名称，例如 bedrock。",
  "must be the ARN of a role, such as arn:aws:iam::123456789012:role/name":
    "请填写角色的 ARN，例如 arn:aws:iam::123456789012:role/name。",
  "must be the absolute path of a file": "请填写文件的完整路径，以 / 开头。",
  "must be 2 to 64 letters, digits and _ + = , . @ -": "请使用 2 到 64 个字母、数字或 _ + = , . @ -",
  "must be 2 to 1224 letters, digits and _ + = , . @ : / -":
    "请使用 2 到 1224 个字母、数字或 _ + = , . @ : / -",
  "must be an id such as 00000000-0000-0000-0000-000000000000":
    "请填写 ID，例如 00000000-0000-0000-0000-000000000000。",
  "must be an address that ends in /.default": "请填写以 /.default 结尾的地址。",
  "must have one id at most": "最多填写一个 ID。",
  "must be the resource id of a user-assigned identity":
    "请填写用户分配标识的资源 ID，以 /subscriptions 开头。",
  "must be default or the mail of a service account": "请填写 default 或服务账号的邮箱。",
  "must be the JSON of the file": "请粘贴完整的 JSON 文件。",
  "type must be service_account": "这不是服务账号密钥文件。",
  "type must be external_account": "这不是身份联合的文件。",
  "takes what this machine lends; set CLOUD_CREDENTIALS_AMBIENT=1 to allow that":
    "不允许使用本机的身份。如需允许，请设置 CLOUD_CREDENTIALS_AMBIENT=1。",
  "cannot be used on this machine: private_key_invalid": "无法读取文件中的私钥。",
  "cannot be used on this machine: token_file_unreadable": "服务器上无法读取令牌文件。",
  "cannot be used on this machine: environment_missing": "服务器的环境变量缺少所需的内容。",
};
