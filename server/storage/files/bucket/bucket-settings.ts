/** An S3-compatible bucket, as the operator names it. */
export interface BucketSettings {
  /** Of the server, without the bucket: it is addressed by path, which every server understands. */
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** Names before every key, joined by `/`; empty for none. */
  prefix: string;
}
