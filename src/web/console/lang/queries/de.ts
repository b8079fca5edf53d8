/** Deutsch. */
import type { TextsLike } from '#web/kit/language/catalogue'
import type { en } from './en'

export const de: TextsLike<typeof en> = {
  'queries.title': 'Rückfragen',
  'queries.list': 'Liste der Rückfragen',
  'queries.views': 'Welche Rückfragen',
  'queries.view.open': 'Offen',
  'queries.view.answered': 'Beantwortet',
  'queries.view.closed': 'Geschlossen',
  'queries.view.all': 'Alle',
  'queries.mine': 'Mir zugewiesen',
  'queries.participantIs': 'Person ist',
  'queries.onePerson': 'eine bestimmte',
  'queries.drop': 'Filter entfernen: {filter}',
  'queries.newest': 'Neueste zuerst',
  'queries.noParticipant': 'ohne Person',
  'queries.none.open': 'Keine offenen Rückfragen',
  'queries.none.answered': 'Keine beantworteten Rückfragen',
  'queries.none.closed': 'Keine geschlossenen Rückfragen',
  'queries.none.all': 'Noch keine Rückfragen',
  'queries.noneNote': 'Rückfragen stellt man zu einer Frage eines Formulars, im Prüfbogen einer Person.',
  'queries.noneFits': 'Keine Rückfrage passt zu diesen Filtern',
  'queries.clearFilters': 'Filter entfernen',
  'queries.previous': 'Neuere',
  'queries.next': 'Ältere',
  'queries.page': 'Seite {page}',
  'queries.choose': 'Wählen Sie eine Rückfrage, um sie zu lesen und zu beantworten.',
  'queries.gone': 'Diese Rückfrage gibt es nicht, oder sie wird Ihnen nicht gezeigt',
  'queries.goneNote':
    'Vielleicht betrifft sie eine Person eines anderen Zentrums oder eine Antwort, die Sie nicht sehen, oder es gibt sie nicht mehr.',
  'queries.done': 'Das war hier die letzte',
  'queries.openForm': 'Prüfbogen öffnen',
  'queries.assigned': 'Zugewiesen an {names}',
  'queries.occurrence': '{form} {number}',
  'queries.keyNext': 'weiter',
  'queries.keyReply': 'antworten',
}
