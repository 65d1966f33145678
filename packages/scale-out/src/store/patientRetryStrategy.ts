import {ConfiguredRetryStrategy} from '@smithy/core/retry';

/** The waits of a request add up to 65 to 131 s. */
const ATTEMPTS = 32;
const WAIT_MAX_MS = 5000;

type Refresh = ConfiguredRetryStrategy['refreshRetryTokenForRetry'];

/** Repeats a request of the S3 client for more than a minute, whatever the number of requests at a time. */
export class PatientRetryStrategy extends ConfiguredRetryStrategy {
  constructor() {
    super(ATTEMPTS, waitBefore);
  }

  /** Gives back what the last retry took from the quota of the client: 50 retries would use it up. */
  override refreshRetryTokenForRetry(...[token, error]: Parameters<Refresh>): ReturnType<Refresh> {
    if (token.getRetryCount() > 0) this.recordSuccess(token);
    return super.refreshRetryTokenForRetry(token, error);
  }
}

/** Doubled waits with jitter, between the half and the whole. The client's own may be 0. */
function waitBefore(attempt: number): number {
  return Math.min(WAIT_MAX_MS, 50 * 2 ** attempt) * (1 - Math.random() / 2);
}
