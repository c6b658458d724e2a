/** Settings of an S3-compatible bucket. */
export interface BucketSettings {
  /** URL of the server, without the bucket name: path-style addressing works with every server. */
  endpoint: string;
  /** The bucket is part of the host name and not of the path. */
  virtualHosted?: boolean;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** Prepended to every key; empty for none. */
  prefix: string;
}
