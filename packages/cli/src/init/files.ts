import type { Answers, CiSystem } from './answers.js';

/** The files that the answers ask for: path from the root of the project, and content. */
export function filesOf(answers: Answers, version: string): [path: string, content: string][] {
  const ci = CI_FILES[answers.ci];
  return [['bylaw.yaml', configuration(answers)], ...(ci ? [ci(version)] : [])];
}

function configuration({ plugins, failOn }: Answers): string {
  return `# Configuration of bylaw. \`bylaw config check\` shows every effective setting.
evaluate:
  # Findings of this severity or higher make \`bylaw evaluate\` fail.
  fail_on: ${failOn}
${plugins ? `\n# The installed plugins to use.\nplugins: [${plugins.join(', ')}]\n` : ''}
# Accepted findings, each with a reason:
# exceptions:
#   - rule: CS-001
#     kind: DaemonSet
#     name: node-agent
#     reason: It manages the devices of the node.
#     expires: 2030-01-31
`;
}

const CI_FILES: { [ci in CiSystem]: ((version: string) => [string, string]) | undefined } = {
  github: (version) => [
    '.github/workflows/bylaw.yaml',
    `name: bylaw
on: [pull_request]
permissions:
  contents: read
jobs:
  evaluate:
    runs-on: ubuntu-latest
    steps:
      # Outside of the checkout and before it, so that a pull request cannot choose what is installed or run.
      - uses: actions/setup-node@v6
        with:
          node-version: 24
          package-manager-cache: false
      - name: Install bylaw
        working-directory: \${{ runner.temp }}
        run: npm install --prefix "$RUNNER_TEMP/bylaw" --ignore-scripts --no-audit --no-fund bylaw@${version}
      - uses: actions/checkout@v6
        with:
          fetch-depth: 0
      - run: '"$RUNNER_TEMP/bylaw/node_modules/.bin/bylaw" evaluate . --policy-from "origin/$GITHUB_BASE_REF" --format github'
`,
  ],
  gitlab: (version) => [
    '.gitlab/bylaw.yaml',
    `# Add to .gitlab-ci.yml:
#   include:
#     - local: .gitlab/bylaw.yaml
bylaw:
  image: node:24
  script:
    # Outside of the checkout, so that a merge request cannot choose what is installed or run.
    - BYLAW="$(mktemp -d)"
    - (cd "$BYLAW" && npm install --prefix "$BYLAW" --ignore-scripts --no-audit --no-fund bylaw@${version})
    - git fetch --depth 1 origin "\${CI_MERGE_REQUEST_TARGET_BRANCH_NAME:-$CI_COMMIT_BRANCH}"
    - '"$BYLAW/node_modules/.bin/bylaw" evaluate . --policy-from FETCH_HEAD --format gitlab --output gl-code-quality-report.json'
  artifacts:
    when: always
    reports:
      codequality: gl-code-quality-report.json
`,
  ],
  none: undefined,
};
