import type { Mode, WebhookConfig } from '../../config/webhook-section.js';
import type { AdmissionResponse } from './admission-review.js';
import { answered, type KnownRequest, type Review } from './answered.js';
import { fitting } from './warnings.js';

/** The answer about an object that cannot be evaluated. Its author chose it, so what becomes of it is a setting of its own. */
export function notEvaluated(request: KnownRequest, why: string, mode: Mode, settings: Pick<WebhookConfig, 'unjudged'>): Review {
  const status = { code: 403, reason: 'Forbidden', message: `This object cannot be checked: ${why}` };
  return withoutEvaluation(request, why, mode, settings.unjudged === 'denied' ? status : undefined);
}

/** The answer when the webhook itself cannot evaluate, whatever the object. */
export function failed(request: KnownRequest, why: string, mode: Mode, settings: Pick<WebhookConfig, 'fail'>): Review {
  const status = { code: 500, reason: 'InternalError', message: `This object was not checked: ${why} Try again.` };
  return withoutEvaluation(request, why, mode, settings.fail === 'denied' ? status : undefined);
}

function withoutEvaluation(request: KnownRequest, why: string, mode: Mode, denial: AdmissionResponse['status']): Review {
  if (mode === 'enforce' && denial) return answered(request, mode, { decision: 'denied', unjudged: why }, { status: denial });
  if (mode === 'audit') return answered(request, mode, { decision: 'allowed', unjudged: why });
  const warnings = [fitting(`This object was allowed without a check: ${why}`)];
  return answered(request, mode, { decision: 'warned', unjudged: why }, { warnings });
}
