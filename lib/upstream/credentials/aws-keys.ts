/** Keys that sign requests to AWS. Shape: `sessionToken` belongs to keys that expire; null for those of a user. */
export interface AwsKeys {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken: string | null;
}
