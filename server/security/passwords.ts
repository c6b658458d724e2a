import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";

export interface Cost {
  /** log2 of scrypt's N. */
  logN: number;
  r: number;
  p: number;
}

// OWASP's 32 MiB recommendation. The stronger ones take 64 and 128 MiB for each concurrent login.
const CURRENT_COST: Cost = { logN: 15, r: 8, p: 3 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;
// The upper limit of a stored cost, so that a damaged row cannot allocate gigabytes.
const MAX_MEMORY_BYTES = 256 * 1024 * 1024;
const STORED = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([\w-]+)\$([\w-]+)$/;

export interface Passwords {
  /** The text to store. It contains its cost, so that the cost can rise while old passwords still work. */
  hash(password: string): Promise<string>;
  /** `undefined` for an unknown user does the same work, so the time does not reveal which users exist. */
  verify(password: string, stored: string | undefined): Promise<boolean>;
}

/** `cost` is for tests, which create thousands of accounts. The default takes a quarter of a second by design. */
export function createPasswords(cost: Cost = CURRENT_COST): Passwords {
  return {
    async hash(password) {
      const salt = randomBytes(SALT_BYTES);
      const hash = await derive(password, salt, HASH_BYTES, cost);
      const { logN, r, p } = cost;
      return `$scrypt$ln=${logN},r=${r},p=${p}$${salt.toString("base64url")}$${hash.toString("base64url")}`;
    },

    async verify(password, stored) {
      const parsed = stored === undefined ? undefined : parse(stored);
      if (!parsed) {
        await derive(password, randomBytes(SALT_BYTES), HASH_BYTES, cost);
        return false;
      }
      return timingSafeEqual(
        await derive(password, parsed.salt, parsed.hash.length, parsed.cost),
        parsed.hash,
      );
    },
  };
}

function parse(stored: string): { cost: Cost; salt: Buffer; hash: Buffer } | undefined {
  const [, logN, r, p, salt, hash] = STORED.exec(stored) ?? [];
  if (!salt || !hash) return undefined;
  const cost = { logN: Number(logN), r: Number(r), p: Number(p) };
  const bytes = Buffer.from(hash, "base64url");
  // A truncated hash must not verify: with zero bytes every password would match.
  if (bytes.length < HASH_BYTES || cost.logN < 1 || cost.r < 1 || cost.p < 1) return undefined;
  if (memoryOf(cost) > MAX_MEMORY_BYTES) return undefined;
  return { cost, salt: Buffer.from(salt, "base64url"), hash: bytes };
}

function memoryOf({ logN, r, p }: Cost): number {
  return 128 * r * (2 ** logN + p + 2);
}

function derive(password: string, salt: Buffer, length: number, cost: Cost): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(
      // Keyboards send the same character composed or decomposed, so passwords are normalized.
      password.normalize("NFKC"),
      salt,
      length,
      { N: 2 ** cost.logN, r: cost.r, p: cost.p, maxmem: MAX_MEMORY_BYTES + 1024 },
      (error, hash) => (error ? reject(error) : resolve(hash)),
    );
  });
}
