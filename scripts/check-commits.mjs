// `npm run check:commits -- main..HEAD`: checks that every commit subject of the range is `type(scope): imperative`
// in at most 72 characters, which is what `git log --oneline` and code hosts show without truncating it.
import { execFileSync } from "node:child_process";

const MAX_LENGTH = 72;
const TYPES = "build|chore|ci|docs|feat|fix|perf|refactor|release|revert|style|test";
const PATTERN = new RegExp(`^(${TYPES})(\\([a-z0-9-]+(, ?[a-z0-9-]+)*\\))?!?: \\S`);

const range = process.argv[2] ?? "origin/main..HEAD";
const log = execFileSync("git", ["log", "--no-merges", "--format=%h %s", range], { encoding: "utf8" });
const commits = log.split("\n").filter(Boolean);

const problems = commits.flatMap((commit) => {
  const subject = commit.slice(commit.indexOf(" ") + 1);
  return [
    ...(subject.length > MAX_LENGTH
      ? [`${commit}\n  has ${subject.length} characters, ${MAX_LENGTH} are allowed`]
      : []),
    ...(PATTERN.test(subject)
      ? []
      : [`${commit}\n  does not start with type(scope): (${TYPES.replaceAll("|", ", ")})`]),
    ...(subject.endsWith(".") ? [`${commit}\n  ends with a period`] : []),
  ];
});

if (problems.length > 0) {
  console.error(problems.join("\n"));
  process.exit(1);
}
console.log(`${commits.length} commit subjects are valid.`);
