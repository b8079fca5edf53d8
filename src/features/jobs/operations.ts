import { operation } from '../../http/operation'
import { jobById } from '../../jobs/queue'
import { found } from '../../kernel/problem'
import { Job } from './model'

const readJob = operation({
  method: 'GET',
  path: '/jobs/:jobId',
  summary: 'See how a job is getting on',
  description: 'For the account that started it.',
  returns: Job,
  run: ({ db, caller, params }) => {
    const job = jobById(db, params.jobId!)
    return found(job?.user === caller.user._id ? job : undefined, 'job')
  },
})

export const jobOperations = [readJob]
