import { useEffect, useRef, useState } from 'preact/hooks'
import type { Sent } from '#web/app/device/model'
import { useSpeaker } from '../speaking'
import { type Answers, type Entry, keep, keptEntries, sendEntry } from './kept'

/** Milliseconds until the next try, at first and at most. Many devices do not all try at the same moment. */
const [FIRST, MOST] = [2_000, 60_000]

/** Sends answers, and what was kept before, until the server has decided about all of them. */
export function useSending() {
  const speaker = useSpeaker()
  const [sent, setSent] = useState<Sent | undefined>(keptEntries().length ? { kind: 'waiting' } : undefined)
  const [refused, setRefused] = useState<Entry>()
  const pause = useRef(FIRST)
  const isWaiting = sent?.kind === 'waiting'

  function decided(entry: Entry, result: Sent): Sent {
    if (result.kind === 'refused') setRefused(entry)
    setSent(result)
    return result
  }
  useEffect(() => {
    if (!isWaiting) return undefined
    let isOver = false
    let timer: ReturnType<typeof setTimeout> | undefined
    async function again(): Promise<void> {
      clearTimeout(timer)
      for (const entry of keptEntries()) {
        const result = await sendEntry(speaker, entry)
        if (isOver) return
        if (result.kind === 'waiting') {
          timer = setTimeout(() => void again(), pause.current * (0.5 + Math.random()))
          pause.current = Math.min(pause.current * 2, MOST)
          return
        }
        decided(entry, result)
        if (result.kind === 'refused') return
      }
      pause.current = FIRST
    }
    const online = () => void again()
    addEventListener('online', online)
    timer = setTimeout(() => void again(), keptEntries().length ? 0 : FIRST)
    return () => {
      isOver = true
      clearTimeout(timer)
      removeEventListener('online', online)
    }
  }, [isWaiting, speaker])

  return {
    sent,
    /** Answers that the server refused, to be corrected; undefined if there are none. */
    refused: refused?.answers,
    /** Sends answers for the first time. @param bodyOf makes the body that the server takes, with the id of the entry */
    async send(path: string, bodyOf: (id: string) => unknown, answers: Answers, id?: string): Promise<Sent> {
      const entry = keep(path, bodyOf, answers, id)
      return decided(entry, await sendEntry(speaker, entry))
    },
    /** Begins anew, for the next person. */
    forget() {
      setSent(undefined)
      setRefused(undefined)
    },
  }
}
