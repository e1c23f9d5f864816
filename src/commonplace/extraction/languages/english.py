# ruff: noqa: E501 - a pattern reads better on one line
"""English."""

from commonplace.extraction.languages.english_everyday import BEFORE_NAME, EVERYDAY, FIRST, MENTIONS
from commonplace.extraction.languages.tables import Language, rows

_ROLES = {
    "cfo": "cfo", "ceo": "ceo", "cto": "cto", "coo": "coo", "cmo": "cmo", "ciso": "ciso", "boss": "boss", "manager": "boss",
    "line manager": "boss", "supervisor": "boss", "team lead": "boss", "wife": "wife", "husband": "husband",
    "partner": "partner", "girlfriend": "girlfriend", "boyfriend": "boyfriend", "fiancée": "partner", "fiancé": "partner",
    "mother": "mother", "mum": "mother", "mom": "mother", "father": "father", "dad": "father", "sister": "sister",
    "brother": "brother", "son": "son", "daughter": "daughter", "kid": "child", "child": "child",
    "grandmother": "grandmother", "grandma": "grandmother", "grandfather": "grandfather", "grandpa": "grandfather",
    "aunt": "aunt", "uncle": "uncle", "cousin": "cousin", "nephew": "nephew", "niece": "niece", "best friend": "friend",
    "friend": "friend", "flatmate": "flatmate", "roommate": "flatmate", "neighbour": "neighbour", "neighbor": "neighbour",
    "colleague": "colleague", "coworker": "colleague", "co-worker": "colleague", "teammate": "colleague",
    "accountant": "accountant", "lawyer": "lawyer", "doctor": "doctor", "gp": "doctor", "dentist": "dentist",
    "landlord": "landlord", "landlady": "landlord", "therapist": "therapist", "assistant": "assistant", "tutor": "tutor",
    "coach": "coach", "trainer": "coach", "vet": "vet", "hairdresser": "hairdresser", "mentor": "mentor",
    "teacher": "teacher", "customer": "customer", "client": "customer", "kids": "child", "children": "child", "twins": "child",
    "twin": "child", "boys": "son", "girls": "daughter", "brother in law": "in-law", "brother-in-law": "in-law", "sister in law": "in-law",
    "sister-in-law": "in-law", "mother in law": "in-law", "mother-in-law": "in-law", "father in law": "in-law",
    "father-in-law": "in-law", "son in law": "in-law", "son-in-law": "in-law", "daughter-in-law": "in-law", "parents": "parents",
    "grandson": "grandson", "granddaughter": "granddaughter", "ex": "ex", "ex-wife": "ex", "ex-husband": "ex", "physio": "physiotherapist",
    "physiotherapist": "physiotherapist", "psychologist": "psychologist", "head of department": "boss", "tech lead": "boss", "half-brother": "brother",
    "half-sister": "sister", "stepbrother": "brother", "stepsister": "sister", "stepson": "son", "stepdaughter": "daughter", "toddler": "child", "eldest": "child", "youngest": "child", "oldest": "child", "goddaughter": "godchild", "godson": "godchild", "folks": "parents",
    "baby": "child", "nanny": "nanny", "cleaner": "cleaner", "babysitter": "nanny", "bandmate": "friend", "housemate": "flatmate", "workmate": "colleague",
}  # fmt: skip

_PROJECT_ROLE = (
    r"(?:the |our |a )?(?P<role>pm|po|product owner|product manager|project manager|project lead|tech lead|lead|owner|"
    r"designer|architect|sponsor|stakeholder|maintainer|lead developer|developer|engineer|contact|point of contact)"
)
_OFTEN = (
    r"(?P<when>(?:every|each) (?:other |second )?(?:single )?(?:day|morning|evening|night|week|weekday|weekend|month|quarter|"
    r"year|monday|tuesday|wednesday|thursday|friday|saturday|sunday)s?(?: (?:morning|afternoon|evening|night)s?)?"
    r"(?: (?:after|before) (?:work|school|lunch|dinner|breakfast))?(?: at [\d:.]+ ?(?:am|pm)?)?|(?:once|twice|(?:two|three|four|five|\d) times) (?:a|per|every) (?:day|week|month|year)|"
    r"(?:on )?(?:mon|tues|wednes|thurs|fri|satur|sun)days(?: and (?:mon|tues|wednes|thurs|fri|satur|sun)days)?(?: (?:mornings?|afternoons?|evenings?|nights?))?(?: after (?:work|school))?(?: at [\d:.]+ ?(?:am|pm)?)?|"
    r"on (?:mon|tues|wednes|thurs|fri|satur|sun)day (?:mornings|afternoons|evenings|nights)|on the (?:first|last|\d+(?:st|nd|rd|th)) of (?:each|every|the) month|on (?:mondays|tuesdays|wednesdays|thursdays|fridays|saturdays|sundays|weekends|weekdays)"
    r"(?: at [\d:.]+ ?(?:am|pm)?)?)"
)

_LIKED = (
    r"(?!(?:it|that|this|these|those|how|when|the way|where|what|to (?:see|think|say|know|hear|thank|ask|believe)|your?|the idea|being|seeing|getting|having|making|both|all|every|each|his|her|their|them|us|me|both|expressing myself)\b"
    r"|.* (?:your?|it|me|him|his|her|hers|their|them|us|these|those|this|that|my|our|who|what)\b)"
    r"(?!the (?!sea\b|ocean\b|mountains?\b|beach\b|outdoors\b|rain\b|snow\b|cold\b|heat\b|countryside\b|winter\b|summer\b))"
)
"""What is liked in general, and not just now: no pronouns, nothing of somebody's, little with a definite article."""
_LIST_ENDS = r"(?=\s*(?:$|[.;:!)~]|\s[—–-]\s|,? (?:but|because|since|so|too|as well|a lot|very much|these days|especially|most of all)\b))"
_GOES_ON = r"(?=\s*(?:$|[.,;:!)~]|\s[—–-]\s| (?:and|but|because|since|so|before|after|until|while|when)\b))"

_RULES = rows(
    # Taking back
    ("retraction", "forget", "", "forget|delete|erase",
     r"(?:please |can you |could you |just )*(?:forget|delete|erase)(?: about)? (?:what I (?:just )?(?:said|told you)(?: about (?P<about>[^.;!?]{2,60}))?|(?P<that>that|this|it|all that)(?: please)?(?=$|[.!,])|(?P<that>(?:the|that|this) (?:number|detail|date|name|figure|amount|last (?:part|bit|one|thing|message)))(?=$|[.!,])|that (?P<clause>(?:I|my|we|our)\b.{3,80})|my (?P<mine>[\w' -]{2,40})|the (?P<about2>[\w' -]{2,40} (?:idea|plan|thing|part|note|bit)))"),
    ("retraction", "forget", "", "scratch|strike|ignore|disregard",
     r"(?:please )?(?:scratch|strike|disregard|ignore) (?P<that>that|this|what I (?:just )?said|my last (?:message|note))(?=$|[.!,])"),
    ("retraction", "lack", "", "have",
     r"I (?:do not|don't|never)(?: actually| really)? (?:have|had) (?:an? |any )(?P<kin>{KIN})s?{E}"),
    ("retraction", "ended", "lives_in", "live|based",
     r"(?:{S} (?:no longer|(?:do|does)(?: not|n't)) lives? in {PLACE}(?P<anymore> any ?(?:more|longer))?{E}|{S}(?: am| is|'m) (?:no longer|not) based in {PLACE2}{E})"),
    ("retraction", "ended", "lives_in", "used to live", r"{S} used to live in {PLACE}{E}"),
    ("retraction", "ended", "works_at", "work|used to|quit|left",
     r"(?:{S} (?:no longer|(?:do|does)(?: not|n't)) works? (?:at|for) {NAME}(?P<anymore> any ?(?:more|longer))?{E}|{S} used to work (?:at|for) {NAME2}{E}|{S} (?:quit|left) (?:my|his|her) job at {NAME3}{E})"),
    ("retraction", "ended", "works_on", "work",
     r"{S} (?:no longer|(?:do|does)(?: not|n't)) works? on (?:the )?(?P<o>(?-i:[A-Z])[\w.-]*(?: (?-i:[A-Z])[\w.-]*){0,2})(?: project)?(?P<anymore> any ?(?:more|longer))?{E}"),
    ("retraction", "ended", "likes", "like|love|enjoy",
     r"{S} (?:no longer|(?:do|does)(?: not|n't)) (?:like|love|enjoy)s? (?P<o>[\w' -]{2,40}?)(?P<must> any ?(?:more|longer)){E}"),
    ("retraction", "ended", "diet", "vegan|vegetarian|pescatarian", r"{S}(?: am| is|'m) (?:no longer|not) (?:an? )?(?P<o>vegan|vegetarian|pescatarian)(?P<anymore> any ?(?:more|longer))?{E}"),
    ("retraction", "ended", "drives", "drive", r"{S} (?:don't|doesn't|do not|does not|no longer) drives? (?P<o>an? (?:\w+ )?(?-i:[A-Z])[\w-]+)(?P<anymore> any ?(?:more|longer))?{E}"),
    ("retraction", "ended", "routine", "no longer|anymore|any more|stopped",
     r"(?:{S} no longer (?P<o>[\w' -]{3,60}?) {WHEN}{E}|{S} stopped (?P<o2>\w+ing[\w' -]{0,50}?) {WHEN2}{E})"),
    ("retraction", "ended_role", "", "no longer|anymore|any more",
     r"(?:(?P<name>{N}) (?:is no longer|isn't|is not) (?:my|our) {ROLE}(?: any ?(?:more|longer))?{E}|I no longer have (?:an? )(?P<kin>{KIN}){E})"),
    ("retraction", "nothing", "", "misspoke|mistake|was wrong|not true|lied", r"(?:sorry[, ]+)?(?:I misspoke|my mistake|I was wrong|I lied|that's not true|that was wrong|I got that wrong)\b"),
    # Corrections
    ("correction", "meant", "", "meant|mean|not",
     r"(?:(?:no|sorry|oops|wait|correction|actually|i misspoke|my mistake)[,:;.—–-]* ?)+(?:I meant|I mean|it's|it is|that's|make that) (?P<new>(?!not\b|what\b)[^,.;!?]{1,60}?),? (?:and )?not (?P<old>[^,.;!?]{1,60}?)\s*$"),
    ("correction", "meant", "", "meant", r"I meant (?P<new>(?!not\b|what\b|to\b|that\b)[^,.;!?]{1,60}?)(?:,? (?:and )?not (?P<old>[^,.;!?]{1,60}?))?\s*$"),
    ("correction", "instead", "", "use|take|pick|run|call",
     r"(?:(?:no|actually|please|sorry|we)[,:]? )*use (?P<new>[\w`'./@:+ -]{1,50}?)(?:,? (?:and )?(?:not|instead of|rather than|in place of) )(?P<old>[\w`'./@:+-]{1,40}(?: [\w`'./@:+-]{1,20}){0,2}?){E}"),
    ("correction", "instead", "", "not|don't",
     r"(?:do not|don't) use (?P<old>[\w`'./@:+ -]{1,40}?)[,;]? use (?P<new>[\w`'./@:+ -]{1,50}?)(?: instead)?{E}"),
    ("correction", "instead", "", "not ", r"not (?P<old>[\w`'./@:+-]{1,40}(?: [\w`'./@:+-]{1,20})?),? (?:but )?use (?P<new>[\w`'./@:+ -]{1,50}?)(?: instead)?{E}"),
    ("correction", "instead", "", "switch|migrat|moved from|moving from|move from",
     r"(?:(?:please |let's |let us |we should |we need to |we must )+(?:switch|migrate|move)(?: over)?|we(?:'ve| have| are|'re)? (?:switched|migrated|moved|switching|migrating|moving)(?: over)?) from (?P<old>[\w`'./@:+-]{1,40}(?: [\w`'./@:+-]{1,20}){0,2}?) to (?P<new>(?!a\b|an\b|the\b)[\w`'./@:+-]{1,40}(?: [\w`'./@:+-]{1,20}){0,2}?){E}"),
    ("correction", "free", "Lesson: {o}", "lesson|turns out|root cause|note to self",
     r"(?:lessons? learned|note to self|turns out(?: that)?|it turned out(?: that)?|(?=the root cause was)|(?=the root cause is)),?:? (?:[—–-] )?(?P<o>(?!(?:she|he|they|I|it|we|you)\b).{8,140}?)\s*$"),
    # People and places
    ("name", "core", "name", "name|call me", r"my (?:full |real )?name(?:'s| is) {NAME}{E}"),
    ("name", "core", "called", "call me|calls me", r"(?:please )?(?:call me|(?:everyone|everybody|people) calls? me) {NAME}{E}"),
    ("name", "core", "pronouns", "pronouns", r"my pronouns are (?P<o>\w+/\w+(?:/\w+)?){E}"),
    ("name", "core", "born_on", "birthday|born",
     r"(?:my birthday is(?: on)?|I was born on) (?P<o>(?:the )?(?:\d{1,2}(?:st|nd|rd|th)?(?: of)? [A-Z][a-z]+|[A-Z][a-z]+ \d{1,2}(?:st|nd|rd|th)?|\d{1,4}[./-]\d{1,2}[./-]\d{1,4})(?:,? \d{4})?){E}"),
    ("name", "core", "email", "email|e-mail", r"my (?:(?P<work>work |office )|private |personal |new )?e-?mail(?: address)?(?: is|:) (?P<o>[\w.+-]+@[\w-]+(?:\.[\w-]+)+){E}"),
    ("name", "core", "phone", "phone|number|mobile", r"my (?:(?P<work>work |office )|private |personal |new )?(?:phone|mobile|cell)(?: number)?(?: is|:) (?P<o>\+?[\d ()/-]{6,20}\d){E}"),
    ("name", "core", "time_zone", "time zone|timezone", r"(?:my time ?zone is|I'm in the) (?P<o>[A-Z][\w/+-]{2,30})(?: time ?zone)?{E}"),
    ("name", "slot", "lives_in", "live|living|based|move|relocat",
     r"(?:{S} (?:currently |now |still )?lives? in {PLACE}{E}|{S}(?:(?: am| is|'m|'s) (?:now |currently )?(?:based|living)|(?:'ve|'s| have| has) (?:been living|lived)) in {PLACE2}{E}|{S}(?:'ve|'s)? (?:have |has |just |recently |finally |last \w+ |actually )*(?:moved|relocated)(?: back| over)? to {PLACE3}{E})"),
    ("name", "was", "lives_in", "lived", r"{S} lived in {PLACE}{E}"),
    ("name", "was", "works_at", "worked", r"{S} worked (?:at|for) {NAME}{E}"),
    ("name", "slot", "staying_in", "am in|i'm in|staying|stay", r"(?:{S}(?: am| is|'m|'s) (?:staying )?in {PLACE}(?=,? (?:until|till|through|for (?:a|the next|two|three|\d+|this))\b)|{S}(?: am| is|'m|'s) staying in {PLACE2}{E})"),
    ("name", "slot", "from", "from|born in|grew up", r"(?:{S}(?: am| is|'m|'s| come| comes) (?:originally )?from {PLACE}{E}|{S} grew up in {PLACE2}{E})"),
    ("name", "have_kin", "", "have|'ve got|has", r"(?:I|we)(?:'ve got| have(?: got)?) (?P<count>an? |one |two |three |four |2 |3 )(?:younger |older |little |big |twin )?(?P<kin>{KIN})s?(?:,? (?:called|named) (?P<kname>{N})| (?P<kname2>{N}))?(?: (?:who lives |living )?in {PLACE})?{E}"),
    ("name", "pet", "has_pet", "dog|cat|rabbit|parrot|hamster|horse|kitten|puppy",
     r"(?:I(?:'ve got| have(?: got)?| just got| adopted)|we(?:'ve got| have| just got| got| adopted)) (?P<o>(?:an? |two |three )(?:\w+ )?(?:dog|cat|rabbit|parrot|hamster|horse|kitten|puppy|tortoise)s?(?:,? (?:called|named) {N})?){E}"),
    ("name", "pet", "has_pet", "dog|cat|rabbit|parrot|hamster|horse",
     r"(?:my|our) (?P<animal>dog|cat|rabbit|parrot|hamster|horse|kitten|puppy)(?:'s name is| is called| is named) (?P<name>{N}){E}"),
    ("name", "kin_name", "", "name is|is called|is named|'s name",
     r"(?:my|our) (?:younger |older |little |big |new |old |other |eldest |youngest |first |second |middle )?{ROLE}(?:'s name is|'s name's| is called| is named) (?P<name>{N}){E}"),
    ("name", "project_role", "", " is | leads|'s ", r"(?P<name>{N})(?: is|'s) (?:now )?" + _PROJECT_ROLE + r" (?:on|of|for|at|in) (?:the )?(?P<project>(?:project )?{N}(?: project)?){E}"),
    ("name", "project_role", "", " is ", _PROJECT_ROLE + r" (?:on|of|for) (?:the )?(?P<project>(?:project )?{N}(?: project)?) is (?:now )?(?P<name>{N}){E}"),
    ("name", "project_role", "lead", "leads|runs|heads|owns|managing|manages", r"(?P<name>{N}) (?:leads|runs|heads|manages) (?:the )?(?P<project>project {N}|{N} project){E}"),
    ("name", "role", "", " is |'s ", r"(?:my|our) (?:new |current |younger |older |little |big )?{ROLE}(?: is|'s)(?: now)? (?P<name>{N}){E}"),
    ("name", "role", "", " is |'s ", r"(?P<name>{N})(?: is|'s) (?:my|our) (?:new |current |younger |older |little |big )?{ROLE}{E}"),
    ("name", "slot", "reports_to", "report", r"{S} (?:now )?reports? to (?P<o>{N}){E}"),
    ("name", "slot", "works_at", "work|job at|joined|hired|started at",
     r"(?:{S} (?:now |currently )?works? (?:at|for)(?: the)? {NAME}{E}|{S}(?:(?: am| is|'m|'s) (?:now )?working|(?:'ve|'s| have| has) (?:been working|worked)) (?:at|for)(?: the)? {NAME2}{E}|{S}(?:'ve|'s)? (?:just |recently |have |has )*(?:joined|started at|got hired (?:at|by)|started a (?:new )?job at|got a (?:new )?job at) {NAME3}{E})"),
    ("name", "slot", "works_on", "work", r"{S}(?:(?: am| is|'m|'s) (?:now |currently )?working| works?) on (?P<o>(?:project )(?-i:[A-Z])[\w.-]*(?: (?-i:[A-Z])[\w.-]*){0,2}){E}"),
    ("name", "slot", "occupation", " a |work as| an ",
     r"(?:{S} works? as|{S}(?: am| is|'m|'s)) (?P<o>an? (?:\w+ ){0,2}?(?:engineer|developer|nurse|teacher|designer|doctor|lawyer|architect|scientist|researcher|student|accountant|journalist|writer|photographer|chef|consultant|manager|programmer|analyst|electrician|carpenter|plumber|pilot|dentist|pharmacist|musician|translator|physiotherapist|farmer|baker|freelancer)){E}"),
    ("name", "slot", "studies", "stud", r"{S}(?: am| is|'m|'s)? (?:stud(?:y|ies|ying)) (?P<o>[\w ]{3,40}?)(?: at [\w ]{2,40})?{E}"),
    ("name", "slot", "speaks", "speak", r"{S} speaks? (?:fluent |good |some |native |a little )?(?P<o>(?-i:[A-Z])[a-z]+(?:(?:, | and |, and )(?:some |a bit of |a little )?(?-i:[A-Z])[a-z]+)*){L}"),
    ("name", "slot", "learning", "learning", r"{S}(?: am| is|'m|'s| have been|'ve been) (?:currently )?learning (?P<o>(?:to \w+(?: \w+)?|(?-i:[A-Z])[a-z]+|the \w+|guitar|piano|chess)){E}"),
    ("name", "slot", "plays", "play", r"{S} plays? (?P<o>(?:the )?(?:guitar|piano|violin|drums|cello|flute|bass|chess|tennis|football|soccer|basketball|volleyball|padel|squash|hockey|golf|badminton|rugby|saxophone|trumpet)){E}"),
    ("name", "slot", "diet", "vegan|vegetarian|pescatarian", r"{S}(?: am| is|'m|'s| have been|'ve been| went| became) (?:now |a |strictly )*(?P<o>vegan|vegetarian|pescatarian){E}"),
    ("name", "slot", "allergic_to", "allerg", r"(?:{S}(?: am| is|'m|'s) (?:\w+ly )?allergic to (?P<o>[\w ,]{3,50}?){L}|{S} (?:have|has) (?:an? )?(?P<o2>[a-z]+) allergy{E})"),
    ("name", "slot", "drives", "drive", r"{S} drives? (?P<o>an? (?:\w+ )?(?-i:[A-Z])[\w-]+(?: [\w-]+)?){E}"),
    ("name", "slot", "hobby", "hobb", r"(?:my|one of my) hobb(?:y|ies)(?: is| are|:) (?P<o>[\w ,'-]{3,80}?)\s*$"),
    ("name", "slot", "favourite", "favo", r"{POSS} favou?rite (?P<what>\w+(?: \w+)?) (?:is|are) (?P<o>[\w' .-]{2,40}?){E}"),
    ("name", "age", "age", "years old|turned", r"(?:{S}(?: am| is|'m|'s) (?P<o>\d{1,3}) years old{E}|{S} (?:just )?turned (?P<o2>\d{1,3})(?: today| yesterday| last \w+)?{E})"),
    ("name", "slot", "relationship", "married|divorced|engaged|single", r"{S}(?: am| is|'m|'s| got| just got) (?:now )?(?P<o>married|divorced|engaged|single){E}"),
    # Preferences
    ("preference", "slot", "prefers", "prefer|rather", r"{S}(?:'d)? (?:would |really |strongly |always |generally |usually )*prefers? (?P<o>[\w`'./@:+ -]{2,70}?){E}"),
    ("preference", "slot", "prefers", "rather", r"(?P<me>I)(?:'d| would) rather (?P<o>(?=(?:use|have|go with|stick with|stick to|keep|work|write|drink|eat|read|fly|take|get|not use)\b)[\w`'./@:+ -]{2,70}?){E}"),
    ("preference", "slot", "dislikes", "like|love|hate|can't stand|enjoy|stand",
     r"(?:{S} (?:do not|don't|does not|doesn't)(?: really)? (?:like|enjoy|care for)|{S} (?:really |absolutely |also )?(?:hates?|can't stand|cannot stand|dislikes?|detests?)) (?P<o>" + _LIKED + r"[\w`'./@:+, -]{2,50}?)" + _LIST_ENDS),
    ("preference", "slot", "likes", "like|love|enjoy|fan of|into",
     r"(?:{S} (?:really |absolutely |also )?(?:likes?|loves?|enjoys?|adores?)|{S}(?: am| is|'m|'s) (?:a (?:big |huge )?fan of|really into)) (?:also )?(?P<o>" + _LIKED + r"[\w`'./@:+, -]{2,50}?)" + _LIST_ENDS),
    ("preference", "free", "Always {o}", "always", r"(?:please )?always (?P<o>(?:use|run|add|write|ask|check|include|put|start|end|reply|answer|respond|keep|make|commit|format|test|show|send|book|call|address|name|prefix|sign|squash|rebase|pin|explain|give|cite|quote|speak|update|create|prefer)\b.{3,110}?)\s*$"),
    ("preference", "free", "Never {o}", "never", r"(?:please )?never (?P<o>(?:use|run|add|write|ask|include|put|start|end|reply|answer|keep|make|commit|format|show|send|book|call|push|force|delete|touch|edit|merge|rebase|deploy|name|schedule|change|suggest|mention|skip|log|store|squash|commit|amend|rename|remove|tag|release|open|close|drop|bump)\b.{3,110}?)\s*$"),
    ("preference", "free", "Preference: {o}", "from now on|going forward|in future", r"(?:from now on|going forward|in (?:the )?future),? (?:please )?(?P<o>(?!I\b|we\b).{6,110}?)\s*$"),
    ("preference", "slot", "wants", "want you to|like you to|keep", r"I(?:'d like| want| would like| need) you to (?P<o>(?:always |never |keep |use |answer |reply |respond |write |stop |call |speak |be |avoid ).{3,90}?)\s*$"),
    # Routines
    ("routine", "held_on", "held_on", "every|each|on mon|on tue|on wed|on thu|on fri|on sat|on sun|moved to|is now",
     r"(?:the|our|my) (?P<s>(?:\w+ ){0,2}?(?:stand-?up|retro|review|sync|meeting|planning|call|demo|class|lesson|training|practice|rehearsal|one-on-one|1:1|all-hands|deploy|release|appointment))s? (?:is|are|happens?|takes place|runs|(?:has been |was |is )?(?:now |being )?moved to|is now)(?: on)? (?P<o>(?:every|each|on)? ?(?:other )?(?:day|week|month|weekday|monday|tuesday|wednesday|thursday|friday|saturday|sunday)s?(?: (?:morning|afternoon|evening)s?)?(?: at [\d:.]+ ?(?:am|pm)?)?){E}"),
    ("routine", "routine", "routine", "every|each|on mondays|on tuesdays|on wednesdays|on thursdays|on fridays|on saturdays|on sundays|on weekends|on weekdays",
     r"{WHEN},? (?P<who>I|we) (?P<o>(?!'|was\b|will\b|am\b|were\b|think\b|feel\b|see\b|hear\b|wonder\b|get (?:a|the) (?:same )?error)[\w`'./@: -]{3,80}?)" + _GOES_ON),
    ("routine", "routine", "routine", "every|each|on mondays|on tuesdays|on wednesdays|on thursdays|on fridays|on saturdays|on sundays|on weekends|on weekdays",
     r"(?P<who>I|we) (?:always |usually |normally |typically )?(?P<o>(?!'|was\b|will\b|am\b|were\b|think\b|feel\b|see\b|hear\b|wonder\b|need\b|get (?:a|the) (?:same )?error)[\w`'./@: -]{3,80}?) {WHEN}{E2}"),
    # Priorities
    ("priority", "free", "Blocking: {o}", "block", r"(?P<o>(?:this|that|it|the|our|[\w`#./-]+)(?: [\w`#./-]+){0,6} (?:is|are) (?:still |now )?blocking(?: [\w`'#./-]+){1,8}?)\s*$"),
    ("priority", "free", "Blocking: {o}", "blocked", r"(?P<o>(?:we are|we're|I am|I'm|the [\w ]{2,40} is) blocked (?:by|on) [\w`'#./ -]{3,70}?)\s*$"),
    ("priority", "free", "Priority: {o} first", "first", r"(?:please |let's |we should |we need to |we must )*(?:do |fix |finish |handle |tackle |start with )(?P<o>[\w`'#./ -]{3,60}?) first{E}"),
    ("priority", "free", "Priority: before that, {o}", "before that", r"before that,? (?:please |let's |we (?:need|have) to |we must )?(?P<o>(?!I\b|it\b).{4,100}?)\s*$"),
    ("priority", "free", "Priority: {o}", "priority", r"(?:(?:the|my|our) (?:top|highest|first|number one|main) priority(?: (?:now|right now|this week|today))? is (?P<o>.{3,90}?)|(?P<o2>(?:the |our )?[\w`'#./ -]{3,50}?) (?:is|has|takes) (?:the |our |my )?(?:top |highest |first |number one )?priority(?: now| over [\w`'#./ -]{3,50}?)?)\s*$"),
    # Decisions and architecture
    ("decision", "free", "Decision: {o}", "let's|let us|we'll",
     r"(?:let's|let us) (?P<o>(?:go with|go for|use|stick with|stick to|keep(?! (?:\w+ing|up|each|in|on|at|calm|our|everyone)\b)|drop|skip|switch to|move to|postpone|do|ship|merge|call it|name it|name|start with|cancel|remove|adopt|pick|choose|defer|split|rename|push (?:the|our|back)|move (?:the|our)|delay|schedule|reschedule|freeze|target|standardi[sz]e on)\b(?! (?:me know|it (?:work|out)))[\w`'\"#./@:+,() -]{1,110}?)\s*$"),
    ("decision", "free", "Decision: {o}", "decided|agreed|decision|settled",
     r"(?:we|I)(?: have|'ve)?(?: finally| now)? (?:decided|agreed|settled)(?: that| to| on)?:? (?P<o>.{4,120}?)\s*$"),
    ("decision", "free", "Decision: {o}", "decision is|decision:", r"(?:the |final |our )*decision(?: is|:) (?:that |to )?(?P<o>.{4,120}?)\s*$"),
    ("decision", "free", "Decision: {o}", "we'll go|we'll use|sticking with|we're using|switching to|dropping|we will go|we will use",
     r"(?:we're|we are|I'm|we'll be|we will be) (?P<o>(?:sticking with|switching to|dropping)(?! (?:it|that|this|them)\b) [\w`'#./@:+ -]{2,90}?)\s*$|(?:we'll|we will|I'll) (?P<o2>(?:go with|use|stick with|go for) [\w`'#./@:+ -]{2,90}?)\s*$"),
    ("decision", "free", "Decision: go with {o}", "going with", r"(?:we're |I'm )?going with (?P<o>[\w`'#./@:+, -]{2,110}?)\s*$"),
    ("decision", "free", "Decision: {o}", "switch", r"(?:let's|let us|we should|we'll) (?P<o>switch (?:the|our) [\w`'#./@+ -]{2,50}? to [\w`'#./@:+ -]{2,50}?)\s*$"),
    ("decision", "free", "Decision: {o}", "after all", r"(?:let's|let us|we'll|we will) (?P<o>(?:add|use|keep|go with) [\w`'#./@:+ -]{2,90}? after all)\s*$"),
    ("decision", "free", "Decision: not go with {o}", "not going with", r"(?:we're|we are|I'm) not going with (?P<o>[\w`'#./@:+ -]{2,90}?)(?: after all| any ?(?:more|longer)| anymore)?\s*$"),
    ("decision", "free", "Decision: do not {o}", "not going to|won't|will not", r"we(?:(?:'re| are) not going to| won't| will not) (?P<o>(?:support|use|add|ship|keep|build|write|migrate|adopt|implement|store|expose)\b.{2,90}?)\s*$"),
    ("decision", "free", "Decision: skip {o}", "skip", r"(?:please |just |we (?:can|will|should) |we'll )*skip (?P<o>[\w`'#./ -]{2,70}?)(?: for now)?\s*$"),
    ("decision", "free", "Decision: {o}", "plan is", r"the plan is (?:now )?to (?P<o>.{4,100}?)\s*$"),
    ("architecture", "free", "Architecture: {o}", "we should|should use|we need to use|must use|has to",
     r"(?:we|the \w+) (?:should|must|have to|need to) (?P<o>(?:use|adopt|keep|store|move|split|build|put|avoid|expose|cache|run|stay|support|write|target|separate)\b.{3,110}?)\s*$"),
    ("architecture", "free", "Architecture: do not {o}", "don't|do not|shouldn't|must not|mustn't|no need",
     r"(?:please )?(?:we (?:should(?: not|n't)|must(?: not|n't)) |let's not |(?:do not|don't) )(?P<o>(?:add|use|introduce|install|depend on|touch|import|commit|deploy|expose|store|log|cache|create|pull in|hard-?code|mock|rewrite|merge|change)\b.{2,110}?)\s*$"),
    ("architecture", "free", "Architecture: {o}", "built on|written in|runs on|is built|deployed|hosted",
     r"(?P<o>(?:the|our|this) (?:[\w-]+ ){1,3}(?:is (?:written|built) (?:in|on|with)|runs on|is (?:deployed|hosted) (?:on|to|in|at)|uses) [\w`'./@:+ -]{2,60}?){E}"),
    # Names and values
    ("value", "value", "value", " is | to |=|:|runs|listens|at ",
     r"(?:the|our|my|this|current)? ?(?P<s>(?:[\w./-]+ ){0,3}?(?:url|uri|endpoint|branch|port|version|host|hostname|domain|bucket|repo|repository|id|ticket|issue|timeout|limit|ttl|region|path|folder|directory|database|db|schema|channel|flag|tag|budget|deadline|retries|batch size|page size|threshold|webhook|namespace|cluster|table|topic|queue|account number|order number|invoice number|wifi|ssid|licence plate|license plate|seat|gate|room)) (?:name )?(?:is now|is set to|is called|should be|must be|is|has to be|lives at|is at|moved to|=|:) {VAL}{E}"),
    ("value", "value", "value", ":|=", r"(?P<s>(?:[\w./-]+ ){0,2}?(?:url|endpoint|branch|port|version|host|bucket|repo|ticket|timeout|limit|region|path|database)): ?{VAL}{E}"),
    ("value", "value", "value", "set ", r"(?:please |we )?set (?:the )?(?P<s>(?-i:[A-Z][A-Z0-9]*_[A-Z0-9_]+)|[\w.-]+(?:[._][\w-]+)+|(?:[\w-]+ ){0,2}(?:timeout|limit|port|ttl|threshold|batch size|page size|retries|log level)) to {VAL}{E}"),
    ("value", "value", "value", "=", r"(?P<s>(?-i:[A-Z][A-Z0-9]{2,})) ?= ?{VAL}{E}"),
    ("value", "value", "value", "_", r"(?P<s>(?-i:[A-Z][A-Z0-9]*_[A-Z0-9_]+)) ?(?:=|is now|is|should be|must be) ?(?:{VAL}|(?P<o>[\w./:@-]+)){E}"),
    ("value", "version", "value", "on |use|using|upgraded|bumped|require|pinned|run|moved",
     r"(?:we're|we are|the \w+ is|this project is|we|the project) (?:on|using|running|pinned to|upgraded to|moved to|require|requires|use|uses|run|runs)(?: on)? (?P<s>(?!(?:january|february|march|april|may|june|july|august|september|october|november|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday|page|step|line|floor|level|day|track|platform|room|gate|track|chapter|port|about|around|over|at|the|top|all|only|just|another|one|two|three)\b)(?:(?-i:[A-Z])[\w.+#-]*(?: (?-i:[A-Z])[\w.+#-]*)?|[a-z]+)) (?P<o>v?\d+(?:\.\d+)*(?:\+|\.x)?){E}"),
    ("value", "due", "due_on", "due|deadline|launch|release",
     r"(?:the |our )?(?P<s>(?:[\w-]+ ){0,3}(?:deadline|launch|release|report|demo|go-live|freeze|code freeze|milestone|submission))(?: is| is now|'s) (?:due |on |set for |planned for |scheduled for |due on |moved to )*(?P<o>(?:next )?(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)|(?:the )?\d{1,2}(?:st|nd|rd|th)?(?: of)? [A-Z][a-z]+(?: \d{4})?|(?-i:[A-Z])[a-z]+ \d{1,2}(?:st|nd|rd|th)?(?:,? \d{4})?|\d{4}-\d{2}-\d{2}){E}"),
)  # fmt: skip

_KEPT = rows(
    # Said to be kept, whatever it is
    ("name", "kept", "", "remember|note that|keep in mind|forget", r"(?!(?:to|when|how|what|me|the time|where)\b)(?P<o>.{6,140}?)\s*$"),
)  # fmt: skip

ENGLISH = Language(
    code="en",
    rules=FIRST + _RULES + EVERYDAY + _KEPT,
    mentions=MENTIONS,
    before_name=BEFORE_NAME,
    common=frozenset(
        "the is are my i'm don't doesn't we we're let's you and that this with have has for of to it's not be will was "
        "your our they live lives use using should would no actually please every prefer like skip first before "
        "work works at from on moved on".split()
    ),
    roles=_ROLES,
    often=_OFTEN,
    possessive=r"(?:(?P<me>my)|(?P<who>{N})'s)",
    subject=r"(?:(?P<me>I|we)|(?:my|our) (?:younger |older |little |big |new )?(?P<kin>{ROLES})(?:,? (?P<kname>{N}),?)?(?:(?<=parents)|(?<=children)|(?<=kids)|(?<=twins)|(?! (?:like|love|enjoy|live|work|play|speak|drive|prefer|hate|report|adore|study)\b))|(?P<who>{N})(?! (?:like|love|enjoy|live|work|play|speak|drive|prefer|hate|report|adore|study)\b))",
    opening=r"(?:ok(?:ay)?|so|fine|nice|cool|perfect|gotcha|anyways?|tbh|ngl|honestly|ah|aha|wait|no wait|no sorry|oh yes|fun fact|reminder|decided(?=[:,])|listen|look|as you know|in case it helps|fwiw|for what it's worth|also fyi|again|context|background|because|here's the thing|one thing|p\.?s\.?|to be clear|from (?:next|this) (?:sprint|week|month|quarter|year|monday)(?: on)?|correction|(?:i should (?:mention|add|say)|i forgot to (?:say|mention)|did i mention|let me add|i want you to know|you should also know|worth knowing|to recap|for reference|it's settled|we settled it|new rule)(?: that)?(?=[,: ])|wrong(?=,)|change of plan|small update|(?:one |a )?(?:quick|small|short|random|important) (?:\w+ ?){1,5}(?=:)|good to know|important|fair warning|full disclosure|(?:big|great|good) news|scratch that|sorry|as (?:mentioned|always)|well|also|and|but|then|oh|hey|hi|hello|hmm|yes|yeah|yep|sure|right|great|thanks|thank you|anyway|btw|by the way|fyi|just so you know|for the record|for context|never mind|no(?=[,.!:;]+ (?!it's|it is|that's|make that|i mean))|(?:that's|this is|it's) (?:wrong|not right|incorrect|not true)|quick note|heads[- ]up|update|(?:(?:good|big|great|bad|sad) )?news|as I said|i think|actually|you should know(?: that)?|(?:please )?(?:remember|note|keep in mind|don't forget|do not forget|be aware)(?: that)?|one more thing|(?:since|as of) (?:last \w+|\d{4}|(?:january|february|march|april|may|june|july|august|september|october|november|december)(?: \d{4})?)|(?:in|since) \d{4}|last (?:week|month|year|summer|winter|spring|autumn|fall)|yesterday|today|(?:two|three|four|a few|a couple of) (?:days|weeks|months|years) ago)[,:.!;—–-]* +",
    conjunction="and",
    speaker="I|we",
    verbs="come|live|work|study|speak|play|have|own|drive|teach|love|like|hate|prefer|enjoy|drink|eat|collect",
    ends=r"but|since|now|with|because|for|until|till|these|at the moment|near|by|as|so|where|which|who|though|right|currently|again|too|after|before|from|last|this|next|in \d{4}|permanently|today|anymore|any more|any longer|please|when|while|to be|in|everywhere|here|instead|yesterday|recently|two|three|a few|a couple|a year|a month|on|btw|tbh|pls|unless|nowadays|natively|fluently|together|also|actually|already",
    joints=r"(?:[,;]|\s+[—–-])?\s+(?:and|but|so|because|though|although|while)(?:\s+(?:also|then|now))?\s+(?=(?:I|I'm|my|we|our|let's|please|don't|do not|the(?= [\w ]{1,30} (?:is|are)\b)|use|skip|avoid)\b)|[;]\s+|\s+[—–]\s+|(?<!before that),\s+(?=(?:(?:and|but|so|also|maybe|perhaps) )?(?:I|I'm|my|let's|we|we're|our|please)\b)|,\s+(?=(?-i:(?:Mrs?|Ms|Dr)\.? [A-Z]\w+|[A-Z][a-z]+) (?:is|takes|will)\b)|,\s+(?=(?:not sure|no idea|dunno)\b)|,\s+(?=the [\w ]{1,25} is\b)|,\s+(?=(?:also |btw |the |our )?(?:repo|branch|port|url|ticket|region|version|app name|deadline)\b)|,?\s+so\s+(?=not (?:vegan|vegetarian|pescatarian)\b)|(?<!hard way)(?<!example):\s+(?=(?:we'll|we're|let's|never|always|from next|every)\b)|\s+-\s+",
    unsure=r"\b(?:(?<!sure )(?<!know )(?<!remember )if|would(?! (?:prefer|rather|like you))|imagine|suppose|supposedly|hypothetically|what if|let's say|let's pretend|pretend|I wish|wish I|in theory|should I|should we|unless|dream(?:ed|t|ing)?|plan(?:ning)? to move|want to (?:move|live|work)|going to (?:move|live)|apparently|allegedly|as though|say I|assume|assuming|feels? like|either|for example|e\.g\.|for instance)\b",
    doubt=r"\b(?:could(?! you)|might|(?-i:may)|maybe|perhaps|possibly|probably|not sure|unsure|thinking (?:of|about)|considering|wondering|wonder|hope to|hoping|almost|nearly|one day|someday|seems?)\b",
    reported=r"\b(?:(?:he|she|they|who|(?-i:[A-Z])\w+|(?:my|our|his|her|the|a|some|an) [\w' ]{2,30}) (?:just |once |always |also )?(?:said|says|told|tells|thinks|claims?|claimed|mentioned|asked|asks|wrote|writes|believes?|argues|suggests?|suggested|insists?|recommends?|recommended|wants me)\b(?! you)|according to|quote:|the (?:article|book|docs?|documentation|readme|tutorial|post|email|message|ticket|log|error) (?:says?|said|reads|states|suggests?))|,? (?:said|says|wrote|shouted|replied) (?:he|she|they|the|my|a|an|(?-i:[A-Z]\w+))\b",
    joking=r"\b(?:just kidding|only kidding|i'm kidding|jk|joking|just a joke|april fools|said no one ever|not really|lol|lmao|rofl|haha+|hehe+|yeah right|as if)\b|(?:^|\s)/s\b|[😂🤣😜😝🙃🙄😏]",
    fiction=r"^[^\w\n]{0,20}(?:(?:please|can you|could you|now|hey|hi|help me)[, ]+)*(?:(?:write|draft|compose|generate|prepare|reply with|give me) (?:me |us )?(?:an?|the|some|my|this|two|three) (?:[\w-]+ ){0,3}(?:emails?|mail|letter|story|poem|song|messages?|post|tweet|essay|speech|article|bio|dialogue|sentences?|paragraph|review|reply|text|toast|joke|haiku|blog|example|examples)|translate|rephrase|proofread|correct|summari[sz]e|paraphrase|fix the grammar|roleplay|role-play|role play|act as|pretend|sing|complete the sentence)\b|\b(?:in (?:the|my|this|a) (?:story|novel|book|film|movie|game|play|song|dream|screenplay|campaign)|my character|the (?:main )?character|the protagonist|the narrator|the hero|lyrics|once upon a time|you are a\b|you're a\b)\b",
    insists=r"\b(?:(?<!don't )remember|note|keep in mind|don't forget|do not forget) (?:that|this)\b|\bplease remember\b|^remember:",
    misspoke=r"\b(?:I misspoke|i was wrong|that(?:'s| is| was) (?:wrong|not true|incorrect|not right|a mistake)|my mistake|i made a mistake|I got that wrong|i lied|correction)\b",
    pronouns=frozenset(
        "that this it them these those one him her us something anything everything nothing so there here same stuff "
        "things thing all both either what".split()
    ),
    not_names=frozenset(
        "i it he she they we you this that these those there here the a an my our your his her their its everyone everybody "
        "nobody someone somebody anyone anybody nothing something everything what who where when why how which monday "
        "tuesday wednesday thursday friday saturday sunday january february march april may june july august september "
        "october november december yes no ok okay not also then today tomorrow yesterday please just so well if but and "
        "or people life time love home work money english one two some all most many few another italian german french spanish "
        "english british american dutch swiss austrian polish russian chinese japanese indian portuguese greek turkish irish "
        "swedish norwegian danish finnish canadian australian brazilian mexican european christian jewish muslim".split()
    ),
)
