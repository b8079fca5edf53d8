/** A file with a draft, people who ask and who review, and their links. */
import type { Id } from '#kernel/id'
import type { Person } from '../../../harness'
import { present } from '../../../present'
import { masterFile } from '../files.study'

export async function reviewStudy() {
  const m = await masterFile()
  const file = (await m.add({ site: m.north }))._id
  const draft = await m.version(file, 'the draft')
  const asker = m.staff(m.trial, ['trial.readFiles', 'trial.requestFileApproval'])
  const chief = m.staff(m.trial, ['trial.approveFiles'])
  const reader = m.staff(m.trial, ['trial.readFiles'])
  const url = `/files/${file}/approvals` as const
  const outsider = 'sponsor@example.com'
  /** The token in the newest e-mail with a link to this address. */
  const tokenOf = (email: string) =>
    present(
      m
        .mails()
        .filter(({ recipient }) => recipient === email)
        .flatMap(({ body }) => /\/app\/file-review\/([\w-]{43})/.exec(body)?.[1] ?? [])
        .at(-1),
    )
  return {
    ...m,
    ...{ file, draft, asker, chief, reader, url, outsider, tokenOf },
    linkOf: (email: string) => `/file-reviews/${tokenOf(email)}` as const,
    /** Asks the chief, who may approve, and somebody without an account. */
    request: (more: Record<string, unknown> = {}, by: Person = asker) =>
      by.do('createFileApproval', file, {
        approvers: [{ id: chief._id }, { email: outsider, role: 'Sponsor' }],
        ...more,
      }),
    decide: (who: Person, approval: Id, decision: string, comment?: string) =>
      who.call('POST', `${url}/${approval}/decisions`, { decision, ...(comment && { comment }) }),
    statusOf: async () => present((await m.owner.do('readFile', file)).latestVersion).status,
    requestStatus: async () => present((await m.owner.do('listFileApprovals', file)).approvals.at(-1)).status,
  }
}
export type ReviewStudy = Awaited<ReturnType<typeof reviewStudy>>
