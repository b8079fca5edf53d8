import { Notice } from '#web/ui/components'
import type { Problem } from './devices'
import { useSpeaker } from './speaking'

/** Why there is no camera or microphone, and what to do. */
export function Trouble({ problem }: { problem: Problem }) {
  const { say } = useSpeaker()
  const texts: Record<Problem, readonly [string, string]> = {
    unable: [say('meeting.unable'), say('meeting.unableNote')],
    insecure: [say('meeting.insecure'), say('meeting.insecureNote')],
    refused: [say('meeting.refused'), say('meeting.refusedNote')],
    missing: [say('meeting.missing'), say('meeting.missingNote')],
    busy: [say('meeting.busy'), say('meeting.busyNote')],
  }
  const [title, note] = texts[problem]
  return (
    <Notice kind="warning" title={title} isLive>
      <p>{note}</p>
      {problem === 'insecure' && (
        <p>
          <a href="/trust">{say('meeting.trust')}</a>
        </p>
      )}
    </Notice>
  )
}
