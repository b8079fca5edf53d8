/** Every component with its states, on a test server. The words are those of other pages, so that each language shows its own lengths. */
import { useState } from 'preact/hooks'
import { registerWorker } from '#web/kit/page/registerWorker'
import {
  Boundary,
  Button,
  ButtonLink,
  Choice,
  Dialog,
  EmptyState,
  Field,
  Icon,
  iconNames,
  List,
  Notice,
  Progress,
  Select,
  Skeleton,
  showToast,
  Table,
  Toasts,
} from '#web/kit/ui/components'
import { Qr } from '#web/kit/ui/qr'
import { Rich } from '#web/kit/ui/rich'
import { mountPage, useTranslator } from '#web/site/account/translator'
import type { RichNode } from '#wire/richText'
import { Part } from './galleryPart'

const rows = [
  { name: 'Site A', open: 12, done: 140 },
  { name: 'موقع ب', open: 3, done: 1020 },
  { name: 'A site whose name is long enough to need a second line on most screens', open: 0, done: 7 },
]
const options = [
  { value: 'a', label: 'No pain' },
  { value: 'b', label: 'Some pain', note: 'It does not keep me from what I usually do.' },
  { value: 'c', label: 'ألم شديد' },
  { value: 'd', label: 'Cannot be chosen', isDisabled: true },
]

const element = (name: string, ...children: RichNode[]): RichNode => ({ name, attributes: {}, children })
const text: RichNode[] = [
  element('h1', 'What we ask of you'),
  element('p', 'Four visits, ', element('strong', 'two'), ' of them at home. <img src=x onerror=alert(1)>'),
  element('ul', element('li', 'A diary each morning'), element('li', 'يوميات كل صباح')),
  element('h2', 'What may happen'),
  { name: 'p', attributes: {}, children: [{ name: 'a', attributes: { href: '#part-field' }, children: ['More'] }] },
]

function Broken(): never {
  throw new Error('This part is broken, to show what stands in its place.')
}

function Gallery() {
  const { t, count } = useTranslator()
  const [opened, open] = useState<'question' | 'busy' | 'note'>()
  const close = () => open(undefined)
  const [scope, setScope] = useState('')
  const [isBroken, breakIt] = useState(false)
  const register = async () => setScope((await registerWorker())?.scope ?? 'none')
  return (
    <div class="gallery">
      <Part title="Button">
        <div class="actions start">
          <Button kind="main">{t('signIn.submit')}</Button>
          <Button icon="key">{t('account.make')}</Button>
          <Button kind="danger">{t('account.delete')}</Button>
          <Button kind="main" isBusy>
            {t('setup.submit')}
          </Button>
          <Button kind="main" isDisabled>
            {t('signIn.submit')}
          </Button>
          <Button kind="danger" isBusy>
            {t('account.delete')}
          </Button>
          <Button isDisabled>{t('account.make')}</Button>
          <ButtonLink href="#part-field">{t('account.back')}</ButtonLink>
          <ButtonLink kind="main" icon="key" href="#part-field">
            {t('account.make')}
          </ButtonLink>
        </div>
      </Part>
      <Part title="Boundary">
        <Boundary>
          {isBroken ? <Broken /> : <Button onPress={() => breakIt(true)}>{t('account.make')}</Button>}
        </Boundary>
      </Part>
      <Part title="Field">
        <Field label={t('setup.name')} name="name" initial="Anna Köhler" />
        <Field label={t('setup.password')} name="password" type="password" note={t('setup.rule')} autoComplete="off" />
        <Field label={t('setup.again')} name="again" type="password" fault={t('setup.differ')} autoComplete="off" />
        <Field label={t('account.lastDay')} name="day" type="date" isOptional />
        <Field label={t('account.what')} name="what" type="lines" note={t('account.whatNote')} />
        <Field label={t('setup.team')} name="team" initial="Research" isDisabled />
        <Field label={t('signIn.code')} name="code" initial="study-7" isReadOnly />
        <Field label="Heart rate" name="rate" type="number" inputMode="numeric" fault={t('setup.differ')} />
      </Part>
      <Part title="Choice">
        <Choice label="How much pain do you have?" name="one" options={options} initial={['b']} />
        <Choice
          label="What helps?"
          name="several"
          options={options}
          note={t('field.optional')}
          fault={t('setup.differ')}
          isMultiple
        />
        <Select label={t('site.language')} name="menu" options={options} />
        <Select
          label={t('site.language')}
          name="faulty"
          options={options}
          initial={['b']}
          note={t('field.optional')}
          fault={t('setup.differ')}
          isOptional
        />
      </Part>
      <Part title="Dialog">
        <div class="actions start">
          <Button onPress={() => open('question')}>{t('account.deleteKey', { name: 'A' })}</Button>
          <Button onPress={() => open('busy')}>{t('account.delete')}</Button>
          <Button onPress={() => open('note')}>{t('account.what')}</Button>
        </div>
        {opened && (
          <Dialog
            title={t('account.deleteTitle', { name: 'Nightly export' })}
            onClose={close}
            {...(opened === 'note'
              ? {}
              : {
                  action: {
                    label: t('account.delete'),
                    kind: 'danger',
                    isBusy: opened === 'busy',
                    onPress: close,
                  },
                })}
          >
            <p>{t('account.deleteNote')}</p>
          </Dialog>
        )}
      </Part>
      <Part title="Notice">
        <Notice kind="info" title={t('account.noneNote')} />
        <Notice kind="success" title={t('setup.doneNote')} />
        <Notice kind="warning" title={t('setup.ended')}>
          {t('setup.endedNote')}
        </Notice>
        <Notice kind="fault" title={t('site.unreachable')} />
      </Part>
      <Part title="List">
        <List
          label="Sites"
          items={rows}
          keyOf={({ name }) => name}
          titleOf={({ name }) => name}
          notesOf={({ open, done }) => [`${open}`, count('sessions.count', done)]}
          actionOf={() => <Button>{t('account.delete')}</Button>}
        />
      </Part>
      <Part title="Table">
        <Table
          caption="Sites"
          rows={rows}
          keyOf={({ name }) => name}
          columns={[
            { title: t('setup.team'), cell: ({ name }) => name },
            { title: t('signIn.code'), isNumber: true, cell: ({ open }) => open },
            { title: t('setup.done'), isNumber: true, cell: ({ done }) => done },
          ]}
        />
      </Part>
      <Part title="Empty state">
        <EmptyState icon="key" title={t('account.none')} note={t('account.noneNote')}>
          <Button kind="main">{t('account.make')}</Button>
        </EmptyState>
      </Part>
      <Part title="Skeleton">
        <Skeleton />
      </Part>
      <Part title="Toast">
        <div class="actions start">
          <Button onPress={() => showToast(t('account.deleted', { name: 'Nightly export' }))}>
            {t('account.delete')}
          </Button>
          <Button onPress={() => showToast(t('account.notCopied'), 'info')}>{t('account.copy')}</Button>
        </div>
      </Part>
      <Part title="Progress">
        <Progress label={t('site.loading')} share={0.4} note="4 / 10" />
        <Progress label={t('site.loading')} />
        <Progress label={t('setup.done')} share={1} note="10 / 10" />
      </Part>
      <Part title="Icon">
        <ul class="list">
          {iconNames.map((name) => (
            <li key={name}>
              <Icon name={name} /> {name}
            </li>
          ))}
        </ul>
      </Part>
      <Part title="QR code">
        <Qr text="https://study.example.org/trust" label="https://study.example.org/trust" />
      </Part>
      <Part title="Text with elements">
        <Rich nodes={text} />
      </Part>
      <Part title="Service worker">
        <Button onPress={register}>Register</Button>
        <output id="scope">{scope}</output>
      </Part>
      <Toasts />
    </div>
  )
}

void mountPage(Gallery)
