import { createHash, createHmac } from "node:crypto";
import type { IncomingMessage } from "node:http";

const hmac = (key: string | Buffer, text: string): Buffer => createHmac("sha256", key).update(text).digest();
const sha256 = (content: string | Buffer): string => createHash("sha256").update(content).digest("hex");

/** Signature version 4, implemented independently: the code that signs requests must not verify them. */
export function signatureProblem(
  request: IncomingMessage,
  body: Buffer,
  keys: { accessKeyId: string; secretAccessKey: string; region: string },
): string | undefined {
  const { headers, method = "" } = request;
  const parts =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=(\w+)$/.exec(
      headers.authorization ?? "",
    );
  if (parts === null) return "AccessDenied";
  const [, accessKeyId, day = "", region = "", signedHeaders = "", signature] = parts;
  if (accessKeyId !== keys.accessKeyId) return "InvalidAccessKeyId";
  const time = String(headers["x-amz-date"]);
  if (region !== keys.region || !time.startsWith(day)) return "AuthorizationHeaderMalformed";
  for (const needed of ["host", "x-amz-date", "x-amz-content-sha256"])
    if (!signedHeaders.split(";").includes(needed)) return "AccessDenied";
  const contentHash = String(headers["x-amz-content-sha256"]);
  if (contentHash !== sha256(body)) return "XAmzContentSHA256Mismatch";

  const [path = "", query = ""] = (request.url ?? "").split("?");
  const canonical = [
    method,
    canonicalPath(path),
    canonicalQuery(query),
    ...signedHeaders
      .split(";")
      .map((name) => `${name}:${String(headers[name]).trim().replaceAll(/ +/g, " ")}`),
    "",
    signedHeaders,
    contentHash,
  ].join("\n");
  const scope = `${day}/${region}/s3/aws4_request`;
  const key = [day, region, "s3", "aws4_request"].reduce<string | Buffer>(
    hmac,
    `AWS4${keys.secretAccessKey}`,
  );
  const expected = hmac(key, ["AWS4-HMAC-SHA256", time, scope, sha256(canonical)].join("\n")).toString("hex");
  return expected === signature ? undefined : "SignatureDoesNotMatch";
}

function uriEncoded(text: string): string {
  return [...Buffer.from(text)]
    .map((byte) => {
      const letter = String.fromCharCode(byte);
      return /[A-Za-z0-9\-._~]/.test(letter)
        ? letter
        : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
    })
    .join("");
}

function canonicalPath(path: string): string {
  return path
    .split("/")
    .map((part) => uriEncoded(decodeURIComponent(part)))
    .join("/");
}

function canonicalQuery(query: string): string {
  return query
    .split("&")
    .filter(Boolean)
    .map((pair) => pair.split("=").map((part) => uriEncoded(decodeURIComponent(part))))
    .map(([name = "", value = ""]) => `${name}=${value}`)
    .sort()
    .join("&");
}
