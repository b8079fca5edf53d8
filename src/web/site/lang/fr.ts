import type { TextsLike } from '#web/common/catalogue'
import type { en } from './en'

/** The texts of the first pages and the manual in French. */
export const fr = {
  'landing.title': 'Toute une étude clinique, en un seul endroit',
  'landing.lead':
    'Ceci est un serveur Trialbox. Les formulaires, les participants, les calendriers, les fichiers, les consentements et la piste d’audit d’une étude sont conservés ici, sur cette machine.',
  'landing.takePart': 'Je participe à une étude',
  'landing.takePartNote': 'Questionnaires, messages, rendez-vous',
  'landing.account':
    'Votre mot de passe, la connexion en deux étapes, vos sessions et les clés d’API de vos programmes.',
  'landing.api':
    'Chaque opération, ce qu’elle demande et ce qu’elle renvoie. À essayer dans le navigateur, en anglais.',
  'landing.manual': 'Comment mener une étude et gérer ce serveur, avec une recherche, en anglais. Sans internet.',
  'landing.document': 'Document OpenAPI',
  'landing.documentNote': 'La même chose pour les programmes qui écrivent des clients.',
  'landing.checking': 'Vérification de l’état du service…',
  'landing.runs': 'Le service fonctionne.',
  'landing.runsVersion': 'Le service fonctionne. Version {version}',

  'missing.note': 'L’adresse est peut-être mal écrite.',

  'setup.page': 'Configurer',
  'setup.title': 'Configurez votre compte',

  'account.title': 'Compte',

  'manual.suffix': 'Manuel de Trialbox',
  'manual.search': 'Chercher dans le manuel',
  'manual.submit': 'Chercher',
  'manual.contents': 'Sommaire',
  'manual.results': 'Recherche',
  'manual.hits.one': '{count} section avec «\u00a0{query}\u00a0»',
  'manual.hits.other': '{count} sections avec «\u00a0{query}\u00a0»',
  'manual.noHits': 'Aucune section ne contient tous ces mots. Essayez-en moins, ou de plus courts, en anglais.',
  'manual.missing': 'Cette page n’existe pas',
  'manual.missingNote': 'Choisissez-en une dans le sommaire, ou cherchez un mot.',
  'manual.around': 'Avant et après',
  'manual.previous': 'Précédent',
  'manual.next': 'Suivant',
} as const satisfies TextsLike<typeof en>
