import { AppError } from "../lib/errors.ts";

/**
 * The words that lead the public lists of leaked passwords. A password is weak if only digits and punctuation surround one
 * of them, which covers the variants that such lists consist of ("Password123!", "qwerty2024").
 */
const COMMON_WORDS = new Set(
  `password passwort passw0rd p@ssword p@ssw0rd pa55word pass passwd motdepasse contrasena senha parola
  qwerty qwertz azerty qwertyuiop qwertzuiop azertyuiop asdfgh asdfghjkl zxcvbn zxcvbnm qazwsx qazwsxedc
  qweasd qweasdzxc qwer qwert asdf zxcv poiuytrewq lkjhgfdsa mnbvcxz wasd
  admin administrator root user guest test testing tester temp default changeme change master system server
  login letmein welcome willkommen bienvenue access secret secret1 private public demo example sample
  baton workflow automation service company office computer internet network security google facebook
  microsoft windows apple samsung android iphone linux ubuntu oracle cisco database
  iloveyou loveyou iloveu loveme lovely love forever sweetheart honey angel babygirl babyboy princess prince
  sunshine moonlight rainbow butterfly flower summer winter spring autumn monday friday sunday january february
  march april june july august september october november december
  dragon monkey tiger lion panther eagle falcon dolphin elephant chicken puppy kitten turtle spider
  football baseball basketball soccer hockey tennis golf liverpool chelsea arsenal barcelona realmadrid
  juventus manchester yankees lakers cowboys steelers packers
  superman batman spiderman pokemon naruto starwars matrix startrek jordan michael jennifer jessica ashley
  nicole daniel andrew joshua matthew anthony robert thomas charlie george william richard martin hannah
  amanda andrea michelle melissa samantha elizabeth alexander alexandra christopher jonathan benjamin
  maggie ginger pepper buster cookie chocolate cheese banana orange cherry peaches coffee pizza
  shadow hunter killer ranger trustno freedom whatever nothing something everything computer1 hello hallo
  helloworld goodbye thankyou fuckyou fuckoff asshole bitch biteme starwars1 mustang corvette ferrari porsche
  mercedes yamaha harley chevy camaro london paris berlin newyork america england germany france canada
  mexico brazil russia india china japan purple silver golden diamond crystal midnight phoenix thunder
  lightning destiny blessed jesus christ heaven faith genesis trinity marlboro jackson metallica nirvana
  slipknot eminem gandalf merlin legend warrior champion victory success money dollar rockyou abc abcd abcde
  abcdef abcdefg abcdefgh abcdefghi abcdefghij aaa xxx zzz iloveyouforever mynoob google1 unknown passion
  family friends friend mother father brother sister daddy mommy junior peanut snoopy tinker scooter tigger
  winnie nintendo playstation xbox minecraft fortnite roblox zelda mario sonic
  q1w2e3 q1w2e3r4 q1w2e3r4t5 1q2w3e 1q2w3e4r 1q2w3e4r5t 1qaz2wsx 1qazxsw2 zaq12wsx zaq1zaq1 a1b2c3 a1b2c3d4
  1a2b3c4d abc123abc pass1234word trustno1 qwe123qwe 123qwe 123abc 123qweasd 1q2w3e4r5t6y`
    .split(/\s+/)
    .filter(Boolean),
);

const RUNS = [
  "01234567890123456789",
  "98765432109876543210",
  "abcdefghijklmnopqrstuvwxyz",
  "zyxwvutsrqponmlkjihgfedcba",
];

export function weakPassword(): AppError {
  return new AppError(
    "weak_password",
    "This password is easy to guess. Choose one that is not a common word, a sequence or your email address.",
  );
}

/** The first password that a guessing program tries. `email` is the address of the account. */
export function isWeakPassword(password: string, email: string): boolean {
  const text = password.normalize("NFKC").toLowerCase();
  const core = text.replaceAll(/^[\d\W_]+|[\d\W_]+$/g, "");
  const withoutSpaces = text.replaceAll(/\s/g, "");
  // Nothing but digits and punctuation counts as weak below 12 characters: dates, phone numbers, 12345678.
  if (core === "" && text.length < 12) return true;
  if (new Set(withoutSpaces).size <= 2) return true;
  if (isRepeated(withoutSpaces) || RUNS.some((run) => run.includes(withoutSpaces))) return true;
  if ([text, withoutSpaces, core].some((part) => COMMON_WORDS.has(part))) return true;
  const [local = ""] = email.toLowerCase().split("@");
  return [email.toLowerCase(), local].some((name) => name.length > 2 && (text === name || core === name));
}

/** "abcabcabc": a short part, repeated. */
function isRepeated(text: string): boolean {
  for (let length = 1; length <= 4; length += 1)
    if (
      text.length >= 2 * length &&
      text ===
        text
          .slice(0, length)
          .repeat(Math.ceil(text.length / length))
          .slice(0, text.length)
    )
      return true;
  return false;
}
