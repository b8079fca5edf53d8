import { useEffect, useRef } from 'preact/hooks'
import { saveFile } from '#web/kit/files/saveFile'
import { Button } from '#web/kit/ui/components'
import { copyText } from './copyText'
import { useSession } from './session'
import { useTranslator } from './translator'

/** Recovery codes that were just created. They are shown only once. */
export function RecoveryCodes({ codes, onKept }: { codes: readonly string[]; onKept: () => void }) {
  const translator = useTranslator()
  const { t } = translator
  const { user } = useSession()
  const shown = useRef<HTMLOListElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const whose = t('codes.of', { email: user.email, host: location.host })
  const text = `${whose}\n\n${codes.join('\n')}\n`
  return (
    <section class="card made">
      <h2 ref={heading} tabIndex={-1}>
        {t('codes.title')}
      </h2>
      <p>{t('codes.note')}</p>
      <p class="only-print">{whose}</p>
      <ol class="codes" ref={shown} dir="ltr">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div class="actions">
        <Button onPress={() => copyText(translator, codes.join('\n'), shown.current)}>{t('account.copy')}</Button>
        <Button onPress={() => saveFile(new Blob([text], { type: 'text/plain' }), `${t('codes.title')}.txt`)}>
          {t('codes.save')}
        </Button>
        <Button onPress={() => print()}>{t('codes.print')}</Button>
      </div>
      <div class="actions">
        <Button kind="main" onPress={onKept}>
          {t('codes.kept')}
        </Button>
      </div>
    </section>
  )
}
