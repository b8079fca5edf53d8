/** What has become of the answers that were sent a moment ago, also when that happens while the page is shown. */
import { useEffect, useState } from 'preact/hooks'
import type { SubmissionResult } from '#web/form/answers/model'
import { entries, followEntry } from '#web/participant/device/queue'

export type EntryResult = SubmissionResult & { entry?: string }

/** The fate of an entry that waited: the news of it, else what the queue has of it now. */
export function useEntryResult(sent: EntryResult): SubmissionResult {
  const [news, setNews] = useState<SubmissionResult>()
  const id = sent.kind === 'waiting' ? sent.entry : undefined
  useEffect(() => {
    if (id === undefined) return undefined
    // A try that failed is no news.
    return followEntry(id, (result) => result.kind !== 'waiting' && setNews(result))
  }, [id])
  if (id === undefined) return sent
  if (news) return news
  const entry = entries.value.find((each) => each.id === id)
  if (!entry) return { kind: 'stored', postSubmissionText: null, messages: [] }
  return entry.problem && entry.state !== 'waiting' ? { kind: 'refused', problem: entry.problem } : sent
}
