/** Settings of an S3-compatible bucket. */
export interface BucketSettings {
  /** Of the server, without the bucket name: path-style addressing works with every server. */
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** Prepended to every key; empty for none. */
  prefix: string;
}
