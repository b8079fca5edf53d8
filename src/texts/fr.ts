import type { Catalogue } from './en'

export const fr: Catalogue = {
  'signInLink.body':
    "Votre lien personnel pour {trial} : {url}\nUtilisable une seule fois, jusqu'au {date}. Merci de ne pas le transmettre.",
  'verificationCode.body':
    '{code} est votre code pour {trial}. Il est valable {minutes} minutes. Merci de ne pas le communiquer.',
  'behindSchedule.body.one': 'Merci de remplir encore ce questionnaire : {forms}.',
  'behindSchedule.body.other': 'Merci de remplir encore ces questionnaires : {forms}.',
  'attachments.one': 'Un fichier accompagne ce message : {url}',
  'attachments.other': '{count} fichiers accompagnent ce message : {url}',
  'appointment.invitation.body': 'Vous êtes invité(e) au rendez-vous vidéo « {title} » le {when}.',
  'appointment.reminder.body': 'Rappel : « {title} » a lieu le {when}.',
  'appointment.moved.body': '« {title} » a été déplacé. La nouvelle date est le {when}.',
  'appointment.cancelled.body': '« {title} » du {when} est annulé.',
  'appointment.join': ' Participer : {url}',

  'welcome.body':
    'Bienvenue dans {trial}. Vous pouvez écrire ici à l’équipe de l’étude, et vous trouverez ici ce que l’équipe et l’étude vous envoient. ' +
    'L’équipe ne lit peut-être pas votre message tout de suite : en cas d’urgence, appelez les secours.',
  'calendar.openUntil': 'Ouvert jusqu’au {when}.',

  quoted: '« {name} »',
  erased: 'Effacé.',
  'more.one': '{count} autre',
  'more.other': '{count} autres',

  'taskAssigned.subject': '{trial} : une tâche pour vous',
  'taskAssigned.body': '{user} vous a attribué une tâche.\n\nÉtude : {trial}\nTâche : {task}\n',
  'taskAssigned.due': 'Échéance : {due} UTC\n',
  'fileAssigned.subject': '{trial} : un fichier pour vous',
  'fileAssigned.body':
    '{user} vous a attribué un fichier du dossier permanent de l’étude (TMF).\n\nÉtude : {trial}\nFichier : {file}\n',
  'submission.subject': '{trial} : « {form} », participant {participant}',
  'submission.attention': 'Des réponses demandent votre attention.',
  'submission.about': '\n\nÉtude : {trial}\nParticipant : {participant}\nFormulaire : {form}\n',
  'queryAssigned.subject.one': '{trial} : une question (query) pour vous',
  'queryAssigned.subject.other': '{trial} : {count} questions (queries) pour vous',
  'queryMessage.subject': '{trial} : un nouveau message au sujet d’une question (query)',
  'query.study': 'Étude : {trial}\n',
  'query.form': 'Participant {participant}, formulaire « {form} »\n',
  'query.unallocated': 'Réponse non encore attribuée, formulaire « {form} »\n',
  'newMessage.subject': '{trial} : un message du participant {participant}',
  'newMessage.body': 'Étude : {trial}\nParticipant : {participant}\n',
  'siteMessages.subject.one': '{trial} : nouveaux messages au tableau de {sites}',
  'siteMessages.subject.other': '{trial} : nouveaux messages aux tableaux de {count} centres',
  'siteMessages.body': 'Étude : {trial}\nCentres : {sites}\n',
  'appointment.staff.invitation.subject': '{trial} : un rendez-vous vidéo avec un participant',
  'appointment.staff.reminder.subject': '{trial} : rappel d’un rendez-vous',
  'appointment.staff.moved.subject': '{trial} : un rendez-vous a été déplacé',
  'appointment.staff.cancelled.subject': '{trial} : un rendez-vous est annulé',
  'appointment.staff.body': 'Étude : {trial}\nParticipant : {participant}\nRendez-vous : {title}\nHeure : {when}\n',
  'appointment.staff.join': 'Participer : {url}\n',
  'calendar.closes': '{name} se ferme',
  'calendar.more.meeting': 'Autres rendez-vous vidéo : voir le calendrier de l’étude',
  'calendar.more.event': 'Autres rendez-vous : voir le calendrier de l’étude',
  'calendar.more.task': 'Autres tâches : voir le calendrier de l’étude',
  'calendar.more.window': 'Autres échéances : voir le calendrier de l’étude',
  'calendar.more.visit': 'Autres visites : voir le calendrier de l’étude',

  'automaticQuery.unit':
    '« {name} » vaut {value}. La valeur a peut-être été saisie {slip}. Merci de vérifier la valeur dans les données sources.',
  'automaticQuery.participantRange':
    '« {name} » vaut {value}, ce qui est très éloigné des valeurs précédentes de ce participant. Merci de vérifier la valeur dans les données sources.',
  'automaticQuery.trialRange':
    '« {name} » vaut {value}, ce qui est très éloigné des valeurs habituelles dans cette étude. Merci de vérifier la valeur dans les données sources.',
  'automaticQuery.higher':
    '« {name} » est supérieur à « {other} ». Merci de vérifier les deux réponses dans les données sources.',
  'automaticQuery.denied':
    'La réponse à « {name} » est non, mais « {other} » indique le contraire. Merci de vérifier les deux réponses dans les données sources.',
  'automaticQuery.changed':
    'La réponse à « {name} » était différente auparavant. Merci de vérifier les deux réponses dans les données sources.',
  'automaticQuery.before':
    '« {name} » est antérieur à « {other} ». Merci de vérifier les deux réponses dans les données sources.',
  'automaticQuery.beforeBirth':
    '« {name} » est antérieur à la naissance. Merci de vérifier les deux réponses dans les données sources.',
  'automaticQuery.afterDeath':
    '« {name} » est postérieur au décès. Merci de vérifier les deux réponses dans les données sources.',
  'automaticQuery.beforeEarlier':
    '« {name} » est antérieur à la réponse d’une occurrence précédente ({occurrence}). Merci de vérifier les deux réponses dans les données sources.',
  'automaticQuery.afterLater':
    '« {name} » est postérieur à la réponse d’une occurrence suivante ({occurrence}). Merci de vérifier les deux réponses dans les données sources.',
  'automaticQuery.constraint': '{constraint} Merci de vérifier la réponse dans les données sources.',
  'automaticQuery.rule':
    '« {name} » : la réponse ne respecte pas la règle {rule}. Merci de vérifier la réponse dans les données sources.',
  'automaticQuery.instruction':
    '{names} : les réponses sont contraires à la règle « {rule} » de cette étude. Merci de les vérifier dans les données sources.',
  'automaticQuery.height': '{name} (taille)',
  'automaticQuery.weight': '{name} (poids)',
  'automaticQuery.slip.pounds': 'en livres au lieu de kilogrammes',
  'automaticQuery.slip.kilograms': 'en kilogrammes au lieu de livres',
  'automaticQuery.slip.inches': 'en pouces au lieu de centimètres',
  'automaticQuery.slip.centimetres': 'en centimètres au lieu de pouces',
  'automaticQuery.slip.fahrenheit': 'en °F au lieu de °C',
  'automaticQuery.slip.celsius': 'en °C au lieu de °F',
  'automaticQuery.slip.milligrams': 'en mg/dL au lieu de mmol/L',
  'automaticQuery.slip.millimoles': 'en mmol/L au lieu de mg/dL',
  'automaticQuery.slip.tenLarge': 'dix fois trop grande',
  'automaticQuery.slip.tenSmall': 'dix fois trop petite',
  'automaticQuery.slip.hundredLarge': 'cent fois trop grande',
  'automaticQuery.slip.hundredSmall': 'cent fois trop petite',
  'automaticQuery.slip.thousandLarge': 'mille fois trop grande',
  'automaticQuery.slip.thousandSmall': 'mille fois trop petite',

  'report.title': 'Les données que nous conservons à votre sujet',
  'report.intro':
    'Voici tout ce que l’étude « {trial} » conserve au sujet du participant {participant}, à la date du {date}. Le fichier report.json contient les mêmes données sous une forme lisible par un ordinateur.',
  'report.unprintable':
    'Certains caractères ne peuvent pas être imprimés et sont remplacés par □. Ils se trouvent dans les fichiers report.html et report.json.',
  'report.erased': 'Les informations personnelles ont été effacées le {date}. Les données de l’étude sont conservées.',
  'report.person': 'Informations personnelles',
  'report.field.id': 'Numéro de participant',
  'report.field.createdAt': 'Inscription',
  'report.field.name': 'Nom',
  'report.field.dob': 'Date de naissance',
  'report.field.email': 'Adresse e-mail',
  'report.field.phone': 'Téléphone',
  'report.field.whatsapp': 'Numéro WhatsApp',
  'report.field.sites': 'Centres',
  'report.field.groups': 'Groupes',
  'report.answers': 'Réponses',
  'report.deletedForm': 'Supprimé : {form}',
  'report.status': 'Résultat : {status}',
  'report.score': 'Score : {score}',
  'report.changes': 'Versions précédentes et modifications',
  'report.files': 'Fichiers envoyés',
  'report.records': 'Autres enregistrements',
  'report.records.messages': 'Messages échangés',
  'report.records.notes': 'Remarques de l’équipe',
  'report.records.appointments': 'Rendez-vous',
  'report.records.queries': 'Questions de l’équipe (queries)',
  'report.records.signatures': 'Signatures et vérifications',
  'report.records.tasks': 'Tâches de l’équipe',
  'report.records.drafts': 'Brouillons',
  'report.records.memberships': 'Centres et groupes',
  'report.records.schedule': 'Calendrier',
  'report.records.reminders': 'Rappels et notifications',
  'report.records.access': 'Connexions et liens',
  'report.records.others': 'Enregistrements techniques',
  'report.log': 'Ce qui a été fait, quand et par qui',

  'account.invitation.subject': 'Votre compte pour {team}',
  'account.invitation.body':
    'Bonjour {name},\n\nvous êtes invité(e) à rejoindre {team}. Merci de choisir votre mot de passe ici dans les {hours} heures :\n{url}\n',
  'account.joined.subject': 'Vous avez rejoint {team}',
  'account.joined.body': 'Bonjour {name},\n\nvous êtes maintenant membre de {team}.\n',
  'account.reset.subject': 'Nouveau mot de passe',
  'account.reset.body':
    'Bonjour {name},\n\nquelqu’un, probablement vous, a demandé un nouveau mot de passe. Merci de le choisir ici dans l’heure qui suit :\n{url}\n\n' +
    'Si ce n’était pas vous, vous n’avez rien à faire.\n',
}
