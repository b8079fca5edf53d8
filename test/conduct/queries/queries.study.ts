/** A response for queries. */
import { study } from '../../study'

/** A study with a response of Anna's, and a monitor and a nurse who may write. */
export async function queryStudy() {
  const s = await study()
  const { body } = await s.enter({ pulse: 72, symptom: 'cough' })
  const monitor = s.staff(s.trial, ['trial.write'])
  const nurse = s.staff(s.trial, ['trial.writeParticipantStudyData'])
  const all = `/trials/${s.trial}/queries` as const
  return {
    ...s,
    response: body._id as string,
    monitor,
    nurse,
    all,
    raise: (more: Record<string, unknown> = {}, by: { call: typeof monitor.call } = monitor) =>
      by.call('POST', all, { response: body._id, dataType: s.ids.pulse, text: 'Is this right?', ...more }),
    list: async (query: '' | `?${string}` = '', by: Pick<typeof monitor, 'get'> = monitor) =>
      (await by.get<'listQueries'>(`${all}${query}`)).queries.map(({ _id }) => _id),
  }
}
