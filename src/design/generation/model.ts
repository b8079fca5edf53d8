/** The API's models of generation (docs/imports.md, "From a description"). */
import { id, shape } from '#wire/schema'

export const JobStarted = shape('JobStarted', { jobId: id('Follow it with GET /jobs/:jobId.') })
