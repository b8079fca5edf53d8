/** Generation on the wire (specification "Long-running work"). */
import { id, shape } from '#wire/words'

export const JobStarted = shape({ jobId: id('Follow it with GET /jobs/:jobId.') })
