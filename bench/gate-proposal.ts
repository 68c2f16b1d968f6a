/** The body of a proposal as an agent in a pipeline sends it, about 700 bytes. */
export function benchProposal(id: string): string {
  return JSON.stringify({
    id,
    principal: { id: `user-${id.length}-${id.slice(-2)}@example.com`, type: 'human' },
    agent: { id: 'release-agent', name: 'Release agent', version: '4.2.0', model: 'example-model', session_id: 'session-20260102' },
    enforcement: 'enforcing',
    action: {
      type: 'kubernetes.deployment.update',
      resource: 'k8s://shop/Deployment/checkout',
      parameters: { replicas: 3, image: 'registry.example.com/shop/checkout:1.42.0', strategy: { type: 'RollingUpdate', maxSurge: 1 } },
      cost: { unit: 'USD.cents', amount: 125 },
      reversible: true,
      summary: 'Roll out checkout 1.42.0 to the staging cluster.',
    },
    environment: 'staging',
    justification: 'Release 1.42.0 fixes the rounding of taxes.',
    context: { run: 'https://ci.example.com/runs/48213', commit: '9f2c1e7a5b', attempt: 1 },
  });
}
