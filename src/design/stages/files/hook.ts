/** What a form needs of the layers above. */
import type { Places } from '#access/caller'
import type { Db } from '#db/open'
import type { TrialScope } from '#design/trials/scope'
import type { Hook } from '#jobs/hook'
import type { Id } from '#kernel/id'

type PrintedResponse = { response: { stage: Id }; participant?: { _id: Id }; places: Places }

/** The response that fills a form; 404 unless it is in the trial and the caller sees its participant. */
export const responseToPrint: Hook<(context: { db: Db }, inTrial: TrialScope, id: Id) => PrintedResponse> = {
  name: 'responseToPrint',
}
