import { readTerm } from '../term/read-term.js';
import type { Term } from '../term/term.js';
import { SECRET_DEFINITIONS } from './secret-definitions.js';

/** A function of our dialect in terms of others, or of what the API server has. */
export interface Definition {
  readonly parameters: readonly string[];
  readonly body: Term;
}

/**
 * Host functions of rules, written in CEL. `cel.bind`, `list`, `text` and similar functions are translated further; everything else the API server of
 * Kubernetes 1.30 has. A test compares each with the function that it stands for.
 */
const TEXTS: { readonly [signature: string]: string } = {
  'podContainers(podSpec)': 'list(podSpec.?containers) + list(podSpec.?initContainers) + list(podSpec.?ephemeralContainers)',
  'commandItems(c)': 'list(c.?command) + list(c.?args)',
  'commandLine(c)': 'commandItems(c).join(" ")',
  'commandArguments(c)': 'commandItems(c).map(item, {"text": item})',
  'postStartCommand(c)': 'list(c.?lifecycle.?postStart.?exec.?command).join(" ")',
  'hookCommands(c)':
    '[list(c.?lifecycle.?postStart.?exec.?command).join(" "), list(c.?lifecycle.?preStop.?exec.?command).join(" ")].filter(line, line != "")',
  'probeCommands(c)':
    '[list(c.?livenessProbe.?exec.?command).join(" "), list(c.?readinessProbe.?exec.?command).join(" "), list(c.?startupProbe.?exec.?command).join(" ")].filter(line, line != "")',
  'commandLines(c)': '([commandLine(c)] + hookCommands(c) + probeCommands(c)).filter(line, line != "")',
  'commands(c)': `[{"key": "command", "line": scriptLine(commandItems(c))}, {"key": "postStart", "line": scriptLine(list(c.?lifecycle.?postStart.?exec.?command))},
    {"key": "preStop", "line": scriptLine(list(c.?lifecycle.?preStop.?exec.?command))}, {"key": "livenessProbe", "line": scriptLine(list(c.?livenessProbe.?exec.?command))},
    {"key": "readinessProbe", "line": scriptLine(list(c.?readinessProbe.?exec.?command))},
    {"key": "startupProbe", "line": scriptLine(list(c.?startupProbe.?exec.?command))}].filter(command, command.line != "")`,
  // Lines that are comments are not part of what runs.
  'scriptLine(items)': String.raw`items.map(part, part.split("\n").filter(line, !line.matches('^[ \t]*#')).join("\n")).join(" ")`,
  'handlers(c)':
    '[c.?lifecycle.?postStart, c.?lifecycle.?preStop, c.?livenessProbe, c.?readinessProbe, c.?startupProbe].filter(handler, handler.hasValue()).map(handler, handler.value())',
  'execActions(c)': '([c] + handlers(c).filter(h, h.?exec.hasValue()).map(h, h.exec)).filter(action, commandLine(action) != "")',
  'httpGetActions(c)': 'handlers(c).filter(h, h.?httpGet.hasValue()).map(h, h.httpGet)',
  'literalEnv(c)': String.raw`list(c.?env).filter(v, v.?value.hasValue() && !v.value.matches(r'\$\([^)]*\)'))`,
  'addedCapabilities(c)': 'list(c.?securityContext.?capabilities.?add).map(capability, capabilityName(capability))',
  'capabilityName(text)': 'text.upperAscii().startsWith("CAP_") ? text.upperAscii().substring(4) : text.upperAscii()',
  'droppedCapabilities(c)': 'list(c.?securityContext.?capabilities.?drop)',

  'isMirrorPod(m)': 'm.?annotations[?"kubernetes.io/config.mirror"].hasValue()',
  'isStaticPod(object, m)': `m.?annotations[?"kubernetes.io/config.source"].hasValue() || m.?annotations[?"kubernetes.io/config.mirror"].hasValue()
    || text(m.?labels.?tier) == "control-plane" && text(object.?metadata.?namespace.or(m.?namespace)) == "kube-system"`,
  'ownedByDaemonSet(object)':
    'text(object.?kind) == "DaemonSet" || list(object.?metadata.?ownerReferences).exists(owner, text(owner.?kind) == "DaemonSet")',
  'isWindows(podSpec)': `text(podSpec.?os.?name) != "" ? text(podSpec.?os.?name) == "windows"
    : text(podSpec.?nodeSelector[?"kubernetes.io/os"]) == "windows" || text(podSpec.?nodeSelector[?"beta.kubernetes.io/os"]) == "windows"
      || size(windowsTerms(podSpec)) > 0 && windowsTerms(podSpec).all(term, list(term.?matchExpressions).exists(e,
           text(e.?key) in ["kubernetes.io/os", "beta.kubernetes.io/os"] && text(e.?operator) == "In"
           && size(list(e.?values)) > 0 && list(e.?values).all(value, value == "windows")))
      || podSpec.?securityContext.?windowsOptions.?hostProcess.orValue(false) == true
      || list(podSpec.?containers).exists(c, c.?securityContext.?windowsOptions.?hostProcess.orValue(false) == true)`,
  'windowsTerms(podSpec)': 'list(podSpec.?affinity.?nodeAffinity.?requiredDuringSchedulingIgnoredDuringExecution.?nodeSelectorTerms)',

  'mountsOf(podSpec, volume)':
    'podContainers(podSpec).map(c, list(c.?volumeMounts).filter(m, text(m.?name) == volumeName(volume)).map(m, {"container": c, "mount": m})).flatten()',
  'volumesNamed(podSpec, name)': 'list(podSpec.?volumes).filter(v, text(v.?name) == text(name))',
  'mountedWritable(podSpec, volume)': 'mountsOf(podSpec, volume).exists(m, m.mount.?readOnly.orValue(false) != true)',

  'baseName(path)': 'text(path).find("[^/]*$")',
  // The API server refuses `..` in the path of a hostPath volume.
  'hostPathOf(volume)': `cel.bind(path, text(volume.?hostPath.?path), (path.startsWith("/") ? "/" : "")
    + cel.bind(rest, path.split("/").filter(segment, !(segment in ["", "."])).join("/"),
        path.startsWith("/") && (rest + "/").startsWith("var/run/") ? rest.substring(4) : rest))`,
  'cleanPath(path)': `cel.bind(raw, text(path), raw == "" ? "" : (raw.startsWith("/") ? "/" : "")
    + cel.bind(rest, withoutBacksteps(raw, raw.split("/").filter(segment, !(segment in ["", "."])).join("/")),
        raw.startsWith("/") && (rest + "/").startsWith("var/run/") ? rest.substring(4) : rest))`,
  // Three times, a segment and the `..` behind it are taken out: who needs more has something to hide that no admission policy finds.
  'withoutBacksteps(raw, path)': `!raw.contains("..") ? path : [path + "/"].map(p, withoutBackstep(p)).map(p, withoutBackstep(p)).map(p, withoutBackstep(p))
    .map(p, raw.startsWith("/") ? p.replace(p.find(r'^(\\.\\./)+'), "", 1) : p).map(p, p.find('^.*[^/]'))[0]`,
  'withoutBackstep(p)': String.raw`p.replace(p.find(r'([^/.]|\.[^/.]|\.\.[^/])[^/]*/\.\./'), "", 1)`,
  'isBelow(path, prefix)':
    'cel.bind(folder, cleanPath(prefix), folder != "" && (folder == "/" ? path.startsWith("/") : (path + "/").startsWith(folder + "/")))',

  // The parts of an image reference; `image(x).tag` is `imageTag(x)` here.
  'imageTagged(ref)': 'text(ref).split("@")[0]',
  'imagePath(ref)': "imageTagged(ref).find('(?s)^(.*/)?[^/:]*')",
  'imageTag(ref)': `imageTagged(ref).find(':[^/:]*$').replace(":", "")`,
  'imageDigest(ref)': `cel.bind(parts, text(ref).split("@", 2), size(parts) > 1 ? parts[1] : "")`,
  'imagePinned(ref)': `text(ref).matches('(?s)^[^@]*@(sha256:[0-9a-f]{64}|sha512:[0-9a-f]{128}|.*[$<{].*)$')`,
  'imageHostAndSlash(ref)': "imagePath(ref).find('^([^/]*[.:${<][^/]*|localhost)/')",
  'imageHost(ref)': `imageHostAndSlash(ref).replace("/", "")`,
  'imageRegistry(ref)': `cel.bind(host, imageHost(ref),
    host.lowerAscii() in ["", "index.docker.io", "registry-1.docker.io", "registry.hub.docker.com"] ? "docker.io" : host)`,
  'imageRepository(ref)': 'imagePath(ref).substring(size(imageHostAndSlash(ref)))',
  'imageName(ref)': "imagePath(ref).find('[^/]*$')",
  'imageCanonical(ref)': `cel.bind(registry, imageRegistry(ref), cel.bind(repository, imageRepository(ref),
    registry != "docker.io" || repository == "" || repository.contains("/") ? registry + "/" + repository : "docker.io/library/" + repository))`,
  'namesImage(c)': 'cel.bind(ref, text(c.?image), ref.trim() != "" && ref != "auto" && !ref.startsWith("ko://") && !isPlaceholder(ref))',

  'namedAccess(rule, verbs, resources)': `cel.bind(granted, list(rule.?verbs).filter(v, v == "*" || v in verbs),
    cel.bind(named, list(rule.?resources).filter(r, resources.exists(wanted, namesResource(text(r), wanted.split("/", 2)[1])
        && list(rule.?apiGroups).exists(g, g == "*" || g == wanted.split("/", 2)[0]))),
      size(granted) == 0 || size(named) == 0 ? ""
        : ("*" in granted ? "every verb on " : granted.join(", ") + " ") + named.join(", ")))`,
  'namesResource(written, resource)': 'written == resource || resource.contains("/") && written == "*/" + resource.split("/", 2)[1]',
  'grantsEverything(rule)': `"*" in list(rule.?apiGroups) && "*" in list(rule.?resources) && ("*" in list(rule.?verbs)
    || ["get", "list", "watch", "create", "update", "patch", "delete"].all(v, v in list(rule.?verbs)))`,
  'subjectName(s)': 'text(s.?kind) + " " + (text(s.?namespace) == "" ? "" : text(s.?namespace) + "/") + text(s.?name)',
  'serviceAccountOf(p)':
    'text(p.?serviceAccountName) != "" ? text(p.?serviceAccountName) : text(p.?serviceAccount) != "" ? text(p.?serviceAccount) : "default"',
  'isBuiltInRole(object)': 'object.?metadata.?labels[?"kubernetes.io/bootstrapping"].hasValue()',

  'seconds(duration, otherwise)': `cel.bind(written, text(duration), written.matches('^[-+]?0$') ? dyn(0)
    : written.matches(r'^[-+]?((\\d+\\.?\\d*|\\.\\d+)(ns|us|µs|μs|ms|s|m|h))+$') ? dyn(double(duration(written).getMilliseconds()) / 1000.0) : otherwise)`,
  ...SECRET_DEFINITIONS,
};

/** Calls that are made once where they stand several times in the same place, and the name of what they give. */
export const SHARED: ReadonlyMap<string, string> = new Map([
  ['hostPathOf', 'path'],
  ['cleanPath', 'path'],
  ['commandLine', 'line'],
]);

/** Calls on the whole object that are variables of the policy, where that variable has another name than the function. */
export const VARIABLE_NAMES: ReadonlyMap<string, string> = new Map([['podContainers', 'containers']]);

const parsed = new Map<string, Definition>();

/** The definition of a function that the API server lacks. */
export function definitionOf(functionName: string): Definition | undefined {
  const known = parsed.get(functionName);
  if (known !== undefined) return known;
  const text = BY_NAME.get(functionName);
  if (text === undefined) return undefined;
  const [signature, source] = text;
  const parameters = signature.slice(signature.indexOf('(') + 1, -1).split(', ');
  const definition = { parameters, body: readTerm(source) };
  parsed.set(functionName, definition);
  return definition;
}

const BY_NAME = new Map(
  Object.entries(TEXTS).map(([signature, source]) => [signature.slice(0, signature.indexOf('(')), [signature, source] as const]),
);
