import { useEffect, useRef, useState } from 'preact/hooks'
import type { SubmissionResult } from '#web/form/answers/model'
import { useTranslator } from '#web/links/texts'
import {
  type Answers,
  addEntry,
  type Entry,
  isOnPageOnly,
  pendingEntries,
  sendEntry,
  type UploadProgress,
} from './pendingEntries'
import { useLeaveWarning } from './useLeaveWarning'

/** Milliseconds until the next try, at first and at most. Many devices do not all try at the same moment. */
const [FIRST, MOST] = [2_000, 60_000]

/** Sends answers, and what was kept before, until the server has decided about all of them. */
export function useSubmission() {
  const now = useTranslator()
  const translator = useRef(now)
  translator.current = now
  const [sent, setSent] = useState<SubmissionResult | undefined>(
    pendingEntries().length ? { kind: 'waiting' } : undefined,
  )
  const [refused, setRefused] = useState<Entry>()
  const [progress, setProgress] = useState<UploadProgress>()
  const pause = useRef(FIRST)
  /** The entries whose results the page shows. Entries of an earlier person on this page are sent without a message. */
  const shownEntries = useRef(new Set(pendingEntries().map(({ id }) => id)))
  const isWaiting = sent?.kind === 'waiting' || pendingEntries().length > 0
  const isKept = !isOnPageOnly()
  useLeaveWarning(!isKept)

  function showResult(entry: Entry, result: SubmissionResult): SubmissionResult {
    if (result.kind === 'refused') setRefused(entry)
    setSent(result)
    return result
  }
  useEffect(() => {
    if (!isWaiting) return undefined
    let [isOver, isBusy] = [false, false]
    let timer: ReturnType<typeof setTimeout> | undefined
    async function sendAll(): Promise<void> {
      for (const entry of pendingEntries()) {
        const result = await sendEntry(translator.current, entry, setProgress)
        if (isOver) return
        if (!result) continue
        const isEntryShown = shownEntries.current.has(entry.id)
        if (result.kind === 'waiting') {
          if (isEntryShown) setSent(result)
          timer = setTimeout(() => void again(), pause.current * (0.5 + Math.random()))
          pause.current = Math.min(pause.current * 2, MOST)
          return
        }
        if (!isEntryShown) continue
        showResult(entry, result)
        if (result.kind === 'refused') return
      }
      pause.current = FIRST
      // Another tab has sent them: the page is read again, and says so.
      setSent((before) => (before?.kind === 'waiting' ? undefined : before))
    }
    /** One at a time: a file that is on its way is not begun again. */
    async function again(): Promise<void> {
      if (isBusy || isOver) return
      clearTimeout(timer)
      isBusy = true
      await sendAll().finally(() => {
        isBusy = false
      })
    }
    const online = () => void again()
    addEventListener('online', online)
    timer = setTimeout(() => void again(), pendingEntries().length ? 0 : FIRST)
    return () => {
      isOver = true
      clearTimeout(timer)
      removeEventListener('online', online)
    }
  }, [isWaiting])

  return {
    sent,
    /** Answers that the server refused, to be corrected; undefined if there are none. */
    refused: refused?.answers,
    /** Whether the device keeps what waits. */
    isKept,
    /** The file that is on its way. */
    progress,
    /** Sends answers for the first time. @param bodyOf makes the body that the server takes, with the id of the entry */
    async send(
      path: string,
      bodyOf: (id: string) => unknown,
      answers: Answers,
      id?: string,
    ): Promise<SubmissionResult> {
      const entry = addEntry(path, bodyOf, answers, id)
      shownEntries.current.add(entry.id)
      // If another tab has sent it, the page is read again, and says so.
      return showResult(entry, (await sendEntry(translator.current, entry, setProgress)) ?? { kind: 'waiting' })
    },
    /** Begins anew, for the next person. */
    forget() {
      shownEntries.current.clear()
      setSent(undefined)
      setRefused(undefined)
    },
  }
}
