import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import { AppError } from "../lib/errors.ts";

const VERSION = "v1";
const CIPHER = "aes-256-gcm";
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export interface SecretBox {
  /** `context` binds the text to its owner and row: a sealed text that is copied to another row does not open. */
  seal(text: string, context: string): string;
  open(sealed: string, context: string): string;
  /** What every text sealed with the current key begins with. */
  readonly currentPrefix: string;
}

/**
 * Encrypts secrets at rest: `v1.<key id>.<nonce>.<ciphertext and tag>`. The first key seals, all of them open. To rotate,
 * put the new key first and keep the old one until `npm run admin -- reseal` has run.
 */
export function createSecretBox(keys: Buffer | readonly [Buffer, ...Buffer[]]): SecretBox {
  const [current, ...old] = Buffer.isBuffer(keys) ? [keys] : keys;
  for (const key of [current, ...old]) {
    if (key.length !== KEY_BYTES)
      throw new AppError("invalid_encryption_key", `An encryption key must have exactly ${KEY_BYTES} bytes.`);
  }
  const currentId = keyIdOf(current);
  const keysById = new Map([current, ...old].map((key) => [keyIdOf(key), key]));

  return {
    currentPrefix: `${VERSION}.${currentId}.`,

    seal(text, context) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, current, nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(additionalData(currentId, context));
      const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
      return [VERSION, currentId, nonce.toString("base64url"), sealed.toString("base64url")].join(".");
    },

    open(sealed, context) {
      const [version, keyId = "", nonceText = "", sealedText = "", ...rest] = sealed.split(".");
      if (version !== VERSION || rest.length > 0)
        throw unreadable("it is not in a known format. Enter the secret again.");
      const key = keysById.get(keyId);
      if (!key)
        throw unreadable(
          "its key is not in ENCRYPTION_KEY. Add the old key after a comma, or enter the secret again.",
        );
      const bytes = Buffer.from(sealedText, "base64url");
      try {
        // A fixed tag length: Node would also accept a tag of four bytes, which can be guessed.
        const decipher = createDecipheriv(CIPHER, key, Buffer.from(nonceText, "base64url"), {
          authTagLength: TAG_BYTES,
        });
        decipher.setAAD(additionalData(keyId, context));
        decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
        return decipher.update(bytes.subarray(0, -TAG_BYTES), undefined, "utf8") + decipher.final("utf8");
      } catch (cause) {
        throw unreadable("it is damaged, or was copied from another record. Enter the secret again.", cause);
      }
    },
  };
}

function keyIdOf(key: Buffer): string {
  return createHash("sha256").update("baton key id\0").update(key).digest("hex").slice(0, 12);
}

function additionalData(keyId: string, context: string): Buffer {
  return Buffer.from(`${VERSION}.${keyId}.${context}`, "utf8");
}

function unreadable(why: string, cause?: unknown): AppError {
  return new AppError("secret_unreadable", `A stored secret cannot be read: ${why}`, { cause });
}
