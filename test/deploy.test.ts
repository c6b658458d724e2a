import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { readConfig } from "../server/config.ts";
import { ensureBuilt } from "./support/service-process.ts";

// Finds renamed settings and moved files, the most common faults, without a container engine.
const root = fileURLToPath(new URL("..", import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), "utf8");

/** The YAML parser of @fastify/swagger. */
const require = createRequire(import.meta.url);
const yaml = createRequire(require.resolve("@fastify/swagger"))("yaml") as {
  parseAllDocuments(text: string, options: object): { errors: Error[]; toJS(): any }[];
};

function documents(path: string): any[] {
  return yaml.parseAllDocuments(read(path), { merge: true }).map((document) => {
    expect([path, document.errors]).toEqual([path, []]);
    return document.toJS();
  });
}

const kubernetes = readdirSync(join(root, "deploy/kubernetes")).map((name) => `deploy/kubernetes/${name}`);
const schema =
  /environmentSchema = z\.object\(\{(.*?)\n\}\);/s.exec(read("server/environment.ts"))?.[1] ?? "";
const SETTINGS = new Set([...schema.matchAll(/^ {2}([A-Z0-9_]+):/gm)].map(([, name]) => name));
const FILLED = {
  JWT_SECRET: "fedcba9876543210".repeat(4),
  ENCRYPTION_KEY: "0123456789abcdef".repeat(4),
  PUBLIC_URL: "https://baton.example.com",
};

/** Every name must be a setting, and together they must be a valid configuration. */
function expectSettings(where: string, given: Record<string, unknown>): void {
  expect([where, Object.keys(given).filter((name) => !SETTINGS.has(name))]).toEqual([where, []]);
  const filled = Object.entries(given).map(([name, value]) => [
    name,
    (FILLED as Record<string, string>)[name] ?? (String(value).replaceAll(/\$\{[^}]*\}/g, "") || "filled-in"),
  ]);
  expect(() => readConfig(Object.fromEntries(filled))).not.toThrow();
}

test("the compose file starts both roles with settings that exist", () => {
  const [compose] = documents("deploy/compose.yaml");
  for (const [name, role] of [
    ["api", "api"],
    ["worker", "worker"],
  ] as const) {
    const service = compose.services[name];
    expect(service).toMatchObject({ read_only: true, cap_drop: ["ALL"], environment: { ROLE: role } });
    expectSettings(`compose ${name}`, { ...service.environment, ALLOW_REGISTRATION: "true" });
  }
  const explained = new Set(
    [...read("deploy/compose.env.example").matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name),
  );
  const used = new Set([...read("deploy/compose.yaml").matchAll(/\$\{([A-Z_]+)/g)].map(([, name]) => name));
  expect(explained).toEqual(used);
  for (const service of Object.values<any>(compose.services))
    for (const volume of service.volumes)
      if (volume.startsWith("./")) expect(existsSync(join(root, "deploy", volume.split(":")[0]))).toBe(true);
});

test("the Kubernetes manifests agree with each other and with the settings", () => {
  const all = kubernetes.flatMap(documents);
  const ofKind = (kind: string) => all.filter((item) => item.kind === kind);
  const [kustomization] = ofKind("Kustomization");
  const files = kubernetes.map((path) => path.split("/").at(-1)?.replace(".example", ""));
  expect([...kustomization.resources, "kustomization.yaml"].sort()).toEqual(files.sort());

  const [settings] = ofKind("ConfigMap");
  const [secret] = ofKind("Secret");
  const pods = ofKind("Deployment");
  expect(pods.map((pod) => pod.metadata.name).sort()).toEqual(["baton-api", "baton-worker"]);
  for (const { metadata, spec } of pods) {
    const { template } = spec;
    const [container] = template.spec.containers;
    const own = Object.fromEntries(container.env.map((entry: any) => [entry.name, entry.value]));
    expectSettings(metadata.name, { ...settings.data, ...secret.stringData, ...own });
    expect(container.envFrom).toEqual([
      { configMapRef: { name: settings.metadata.name } },
      { secretRef: { name: secret.metadata.name } },
    ]);
    expect(template.metadata.labels).toEqual(spec.selector.matchLabels);
    expect(template.spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 });
    expect(container.securityContext).toMatchObject({
      readOnlyRootFilesystem: true,
      allowPrivilegeEscalation: false,
    });
    expect(container.livenessProbe.httpGet.path).toBe("/health");
    expect(container.readinessProbe.httpGet.path).toBe("/ready");
    expect(Object.keys(container.resources)).toEqual(["requests", "limits"]);
    expect(container.volumeMounts.map((mount: any) => mount.mountPath)).toEqual(["/data", "/tmp"]);
    const budget = ofKind("PodDisruptionBudget").find((item) => item.metadata.name === metadata.name);
    expect(budget.spec.selector).toEqual(spec.selector);
  }
  const [service] = ofKind("Service");
  const api = pods.find((pod) => pod.metadata.name === "baton-api");
  expect(service.spec.selector).toEqual(api?.spec.selector.matchLabels);
  const [ingress] = ofKind("Ingress");
  expect(ingress.spec.rules[0].http.paths[0].backend.service.name).toBe(service.metadata.name);
});

test("the image copies files that exist, runs the built entry point and does not run as root", () => {
  const dockerfile = read("Dockerfile");
  const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \.\/?$/gm)].flatMap(
    ([, names]) => names?.split(" ") ?? [],
  );
  const ignored = read(".dockerignore");
  expect(copied.length).toBeGreaterThan(3);
  for (const name of copied.filter((name) => name !== ".")) {
    expect([name, existsSync(join(root, name))]).toEqual([name, true]);
    expect(ignored).toContain(`!${name}\n`);
  }
  for (const [, name] of ignored.matchAll(/^!(.+)$/gm))
    expect([name, existsSync(join(root, name ?? ""))]).toEqual([name, true]);
  for (const [, script = ""] of dockerfile.matchAll(/node (scripts\/\S+\.mjs)/g))
    expect(existsSync(join(root, script))).toBe(true);
  ensureBuilt();
  const [, entry = ""] = /CMD \["node", "(dist\/[^"]+)"\]/.exec(dockerfile) ?? [];
  expect(existsSync(join(root, entry))).toBe(true);
  // One user builds the image and another one runs it.
  for (const folder of ["dist/server", "dist/web"])
    expect(statSync(join(root, folder)).mode & 0o005).toBe(0o005);
  expect(dockerfile).toMatch(/^USER [1-9]\d*:[1-9]\d*$/m);
  const [, environment = ""] = /^ENV ((?:.+\\\n)*.+)$/m.exec(dockerfile) ?? [];
  const names = [...environment.matchAll(/(\w+)=/g)].map(([, name]) => name ?? "");
  expect(names.filter((name) => name !== "NODE_ENV" && !SETTINGS.has(name))).toEqual([]);
});

test("images are pinned to an exact version, and Baton runs on Node 24", () => {
  const bases = [...read("Dockerfile").matchAll(/^FROM (\S+)/gm)].map(([, name]) => name);
  expect(new Set(bases)).toHaveLength(1);
  expect(bases[0]).toMatch(/^node:24\.\d+\.\d+-slim(@sha256:[0-9a-f]{64})?$/);
  const [compose] = documents("deploy/compose.yaml");
  for (const name of ["postgres", "proxy"])
    expect(compose.services[name].image).toMatch(/^\w+:\d+\.\d+(\.\d+)?(@sha256:[0-9a-f]{64})?$/);
});

test("metrics stay inside, and registration stays closed", () => {
  const caddy = read("deploy/Caddyfile");
  expect(caddy).toMatch(/@inside path \/metrics \/metrics\/\*\n\s*respond @inside 404/);
  const [compose] = documents("deploy/compose.yaml");
  const published = Object.entries<any>(compose.services).filter(
    ([, service]) => service.ports !== undefined,
  );
  expect(published.map(([name]) => name)).toEqual(["proxy"]);
  const [ingress] = documents("deploy/kubernetes/ingress.yaml");
  const { paths } = ingress.spec.rules[0].http;
  const metrics = paths.find((each: any) => each.path === "/metrics");
  const target = documents("deploy/kubernetes/service.yaml").find(
    (service) => service.metadata.name === metrics.backend.service.name,
  );
  expect(target.spec.selector).toBeUndefined();

  // Unset in the image: the first account needs the set-up code, then registration is closed.
  const [settings] = documents("deploy/kubernetes/settings.yaml");
  expect(settings.data.ALLOW_REGISTRATION).toBeUndefined();
  expect(compose.services.api.environment.ALLOW_REGISTRATION).toBe("${ALLOW_REGISTRATION:-}");
  expect(read("deploy/compose.env.example")).toMatch(/^ALLOW_REGISTRATION=$/m);
  expect(read("Dockerfile")).toContain("HOST=0.0.0.0");
  expect(readConfig({ HOST: "0.0.0.0", ALLOW_REGISTRATION: "" }).setupMode).toBe(true);
});

test("network policies cover every pod and allow nothing inbound but the ingress and Prometheus", () => {
  const policies = documents("deploy/kubernetes/network-policy.yaml");
  const pods = ["api", "worker"].flatMap((name) => documents(`deploy/kubernetes/${name}.yaml`));
  const all = policies.find(({ metadata }) => metadata.name === "baton");
  expect(all.spec.policyTypes).toEqual(["Ingress", "Egress"]);
  for (const pod of pods)
    expect(pod.spec.template.metadata.labels).toMatchObject(all.spec.podSelector.matchLabels);
  const sources = policies.flatMap(({ spec }) => spec.ingress.flatMap((rule: any) => rule.from));
  expect(sources.map((source: any) => Object.values(source.namespaceSelector.matchLabels))).toEqual([
    ["ingress-nginx"],
    ["monitoring"],
  ]);
  const internet = all.spec.egress.flatMap((rule: any) => rule.to ?? []).filter((to: any) => to.ipBlock);
  for (const range of ["10.0.0.0/8", "169.254.0.0/16", "fc00::/7"])
    expect(internet.some((to: any) => to.ipBlock.except.includes(range))).toBe(true);
});

test("the systemd unit runs the same file with settings that exist", () => {
  const unit = read("deploy/baton.service");
  expect(unit).toContain("ExecStart=/usr/bin/node dist/server/main.js");
  for (const [, name] of unit.matchAll(/^Environment=(\w+)=/gm)) expect(SETTINGS.has(name)).toBe(true);
});

test("docs/operate/monitor.md explains every metric of the service", () => {
  const files = readdirSync(join(root, "server/telemetry"))
    .filter((name) => name.endsWith(".ts"))
    .map((name) => `server/telemetry/${name}`);
  const source = [...files, "server/limits/limits.ts"].map(read).join("");
  const names = new Set(source.match(/"baton_\w+"/g));
  const explained = read("docs/operate/monitor.md");
  expect(names.size).toBeGreaterThan(3);
  expect([...names].filter((name) => !explained.includes(`\`${name.slice(1, -1)}\``))).toEqual([]);
});
