/** The name of the person, and how they sign: by typing it once more, or by drawing. */
import { Choice, Fault, Field } from '#web/kit/ui/components'
import { SignaturePad } from './signaturePad'
import { StepActions } from './stepActions'
import { signatureFault } from './steps'
import { useTranslator } from './translator'
import { useFaults } from './useFaults'
import type { Flow } from './useFlow'

export function Signature({ flow }: { flow: Flow }) {
  const { t } = useTranslator()
  const { session, work, change, next } = flow
  const { signatureMethods } = session.sheet
  const { form, faults, setFaults, clearOnInput, clear } = useFaults()
  const autoComplete = session.isInPerson ? 'off' : 'name'
  const names = { typed: t('consent.typed'), drawn: t('consent.drawn') }

  function submit(event: Event): void {
    event.preventDefault()
    const fault = signatureFault(work)
    const words = {
      fullName: t('consent.needsName'),
      typedName: t('consent.typedDiffers'),
      drawn: t('consent.needsDrawing'),
    }
    setFaults(fault ? { [fault]: words[fault] } : {})
    if (!fault) next()
  }
  return (
    <form ref={form} noValidate onInput={clearOnInput} onSubmit={submit}>
      <section class="card">
        <Field
          label={t('consent.fullName')}
          note={t('consent.fullNameNote')}
          name="fullName"
          initial={work.fullName}
          maxLength={200}
          autoComplete={autoComplete}
          fault={faults.fullName}
          onInput={(fullName) => change({ fullName })}
        />
        {signatureMethods.length > 1 && (
          <div
            onChange={({ target }) => {
              const way = target instanceof HTMLInputElement && target.value === 'drawn' ? 'drawn' : 'typed'
              setFaults({})
              change({ way })
            }}
          >
            <Choice
              label={t('consent.signWay')}
              name="way"
              initial={[work.way]}
              options={(['typed', 'drawn'] as const).map((value) => ({ value, label: names[value] }))}
            />
          </div>
        )}
        {work.way === 'typed' ? (
          <>
            <Field
              label={t('consent.typedName')}
              name="typedName"
              initial={work.typedName}
              maxLength={200}
              autoComplete="off"
              fault={faults.typedName}
              onInput={(typedName) => change({ typedName })}
            />
            <Script name={work.typedName} />
          </>
        ) : (
          <>
            <SignaturePad
              strokes={work.strokes}
              fault={faults.drawn}
              onChange={(strokes) => {
                clear('drawn')
                change({ strokes })
              }}
            />
            <Fault id="pad-fault" text={faults.drawn} />
            <p class="note">{t(signatureMethods.includes('typed') ? 'consent.padOther' : 'consent.padOnly')}</p>
          </>
        )}
      </section>
      <StepActions flow={flow} />
    </form>
  )
}

/** A typed name as it stands under a letter. */
export const Script = ({ name }: { name: string }) => (
  <p class="script" dir="auto" aria-hidden="true">
    {name.trim() || '\u00a0'}
  </p>
)
