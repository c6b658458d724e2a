const SUITE = "@modelcontextprotocol/conformance@0.2.0-alpha.12";
/** The suite needs Node 22; this service runs on 20, too. */
const NEWER_NODE = Number(process.versions.node.split(".")[0]) >= 22 ? [] : ["-p", "node@22.23.3"];

/** Arguments of npx that bring the public suite and a Node that runs it. */
export const NPX_PACKAGES = ["--yes", ...NEWER_NODE, "-p", SUITE];

/** The package `node` puts its program in place with an install script. */
export const NPX_ENVIRONMENT = { ...process.env, npm_config_ignore_scripts: "false" };
