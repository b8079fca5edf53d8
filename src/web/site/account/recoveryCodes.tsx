import { useEffect, useRef } from 'preact/hooks'
import { saveFile } from '#web/common/saveFile'
import { Button } from '#web/ui/components'
import { copyText } from './copying'
import { useSession } from './session'
import { useSpeaker } from './speaking'

/** Recovery codes that were just made, which nobody sees again. */
export function RecoveryCodes({ codes, onKept }: { codes: readonly string[]; onKept: () => void }) {
  const speaker = useSpeaker()
  const { say } = speaker
  const { user } = useSession()
  const shown = useRef<HTMLOListElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const whose = say('codes.of', { email: user.email, host: location.host })
  const text = `${whose}\n\n${codes.join('\n')}\n`
  return (
    <section class="card made">
      <h2 ref={heading} tabIndex={-1}>
        {say('codes.title')}
      </h2>
      <p>{say('codes.note')}</p>
      <p class="only-print">{whose}</p>
      <ol class="codes" ref={shown} dir="ltr">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div class="actions">
        <Button onPress={() => copyText(speaker, codes.join('\n'), shown.current)}>{say('account.copy')}</Button>
        <Button onPress={() => saveFile(new Blob([text], { type: 'text/plain' }), `${say('codes.title')}.txt`)}>
          {say('codes.save')}
        </Button>
        <Button onPress={() => print()}>{say('codes.print')}</Button>
      </div>
      <div class="actions">
        <Button kind="main" onPress={onKept}>
          {say('codes.kept')}
        </Button>
      </div>
    </section>
  )
}
