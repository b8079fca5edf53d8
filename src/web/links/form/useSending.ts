import { useEffect, useRef, useState } from 'preact/hooks'
import type { Sent } from '#web/app/device/model'
import { useSpeaker } from '../speaking'
import { type Answers, type Entry, isOnPageOnly, keep, keptEntries, type Progressing, sendEntry } from './kept'
import { useLeaveWarning } from './useLeaveWarning'

/** Milliseconds until the next try, at first and at most. Many devices do not all try at the same moment. */
const [FIRST, MOST] = [2_000, 60_000]

/** Sends answers, and what was kept before, until the server has decided about all of them. */
export function useSending() {
  const now = useSpeaker()
  const speaker = useRef(now)
  speaker.current = now
  const [sent, setSent] = useState<Sent | undefined>(keptEntries().length ? { kind: 'waiting' } : undefined)
  const [refused, setRefused] = useState<Entry>()
  const [progress, setProgress] = useState<Progressing>()
  const pause = useRef(FIRST)
  /** The entries about which the page tells. Those of somebody who has left it to the next person are sent without a word. */
  const told = useRef(new Set(keptEntries().map(({ id }) => id)))
  const isWaiting = sent?.kind === 'waiting' || keptEntries().length > 0
  const isKept = !isOnPageOnly()
  useLeaveWarning(!isKept)

  function decided(entry: Entry, result: Sent): Sent {
    if (result.kind === 'refused') setRefused(entry)
    setSent(result)
    return result
  }
  useEffect(() => {
    if (!isWaiting) return undefined
    let [isOver, isBusy] = [false, false]
    let timer: ReturnType<typeof setTimeout> | undefined
    async function sendAll(): Promise<void> {
      for (const entry of keptEntries()) {
        const result = await sendEntry(speaker.current, entry, setProgress)
        if (isOver) return
        if (!result) continue
        const isTold = told.current.has(entry.id)
        if (result.kind === 'waiting') {
          if (isTold) setSent(result)
          timer = setTimeout(() => void again(), pause.current * (0.5 + Math.random()))
          pause.current = Math.min(pause.current * 2, MOST)
          return
        }
        if (!isTold) continue
        decided(entry, result)
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
    timer = setTimeout(() => void again(), keptEntries().length ? 0 : FIRST)
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
    async send(path: string, bodyOf: (id: string) => unknown, answers: Answers, id?: string): Promise<Sent> {
      const entry = keep(path, bodyOf, answers, id)
      told.current.add(entry.id)
      // If another tab has sent it, the page is read again, and says so.
      return decided(entry, (await sendEntry(speaker.current, entry, setProgress)) ?? { kind: 'waiting' })
    },
    /** Begins anew, for the next person. */
    forget() {
      told.current.clear()
      setSent(undefined)
      setRefused(undefined)
    },
  }
}
