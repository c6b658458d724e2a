import { createSignedLinks, type SignedLinks } from "../security/signed-links.ts";

export interface ApprovalUrls extends Pick<SignedLinks, "verify"> {
  /** The page of a link, under `baseUrl` or else the address in the settings. */
  urlOf(linkId: string, baseUrl?: string): string;
}

export function createApprovalUrls(
  serviceUrl: string,
  secrets: readonly [string, ...string[]],
): ApprovalUrls {
  const { tokenOf, verify } = createSignedLinks("approval link", secrets);
  return { verify, urlOf: (linkId, baseUrl = serviceUrl) => `${baseUrl}/a/${tokenOf(linkId)}` };
}
