// Made by tools/typescript_types.py from the OpenAPI document. Do not edit.
export interface components {
    schemas: {
        Account: {
            /** Format: date-time */
            created_at: string;
            language: string | null;
            owner: string;
            plan: string | null;
            timezone: string | null;
        };
        AgendaItem: {
            day: string | null;
            deadline: string | null;
            debtor: string | null;
            id: string;
            /** @enum {string} */
            kind: "owed" | "due" | "silent";
            name: string;
            text: string;
        };
        AgendaItemList: {
            items: components["schemas"]["AgendaItem"][];
            next: string | null;
        };
        Applied: {
            after: number;
            before: number;
            counts: {
                [key: string]: number;
            };
            echo: boolean;
        };
        Attempt: {
            /** Format: date-time */
            at: string;
            came_out: string[];
            fault: string | null;
            generation: number;
            id: string;
            left_out: number;
            number: number;
            outcome: string;
            refused: number;
            repaired: boolean;
            seconds: number | null;
            step: string | null;
            tokens: number | null;
            went_in: string[];
            /** @enum {string} */
            what: "plan" | "step";
        };
        AttemptList: {
            items: components["schemas"]["Attempt"][];
            next: string | null;
        };
        AuditCheck: {
            lines: number;
            ok: boolean;
            problem: string | null;
        };
        AuditLine: {
            action: string;
            actor: string;
            /** Format: date-time */
            at: string;
            noun: string;
            reason: string | null;
            sequence: number;
            target: string;
        };
        AuditLineList: {
            items: components["schemas"]["AuditLine"][];
            next: string | null;
        };
        BulkAction: {
            action: string;
            ids: string[];
            reason?: string | null;
            /** @default [] */
            tags?: string[];
        };
        Change: {
            /** @enum {string} */
            action: "ADD" | "UPDATE" | "DELETE" | "NOOP" | "PROPOSE";
            after: number | null;
            before: number | null;
            id: string;
            noun: string;
            reason: string;
            statement: string | null;
        };
        ContextPage: {
            memories: string[];
            text: string;
            tokens: number;
        };
        ContextRequest: {
            as_of?: string | null;
            /** @default false */
            guidance?: boolean;
            known_at?: string | null;
            limit?: number | null;
            query?: string | null;
            session?: string | null;
            /** @default [] */
            skip?: string[];
            /** @default 2000 */
            tokens?: number;
        };
        CoreValue: {
            id: string;
            key: string;
            namespace: string;
            /** Format: date-time */
            updated_at: string;
            value: string;
            version: number;
        };
        CoreValueList: {
            items: components["schemas"]["CoreValue"][];
            next: string | null;
        };
        Day: {
            day: string;
            episodes: number;
            forgotten: number;
            learned: number;
        };
        DayList: {
            items: components["schemas"]["Day"][];
            next: string | null;
        };
        Diagnosis: {
            checks: string[];
            sound: boolean;
            symptoms: components["schemas"]["Symptom"][];
        };
        Directive: {
            base_branch: string | null;
            /** Format: date-time */
            created_at: string;
            done: string | null;
            generation: number;
            goal: string;
            goal_updated_at: string | null;
            id: string;
            local_path: string | null;
            memory_enabled: boolean;
            namespace: string;
            owner: string;
            planned_for: string | null;
            reason: string | null;
            repository_url: string | null;
            run: string | null;
            started_at: string | null;
            /** @enum {string} */
            status: "draft" | "active" | "paused" | "completed" | "failed" | "archived";
            title: string;
            version: number;
        };
        DirectiveList: {
            items: components["schemas"]["Directive"][];
            next: string | null;
        };
        DirectiveMemoryList: {
            items: components["schemas"]["Memory"][];
            next: string | null;
        };
        DirectiveMemoryRevision: {
            category?: ("insight" | "decision" | "context" | "error" | "pattern") | null;
            reason?: string | null;
            text?: string | null;
        };
        DirectiveRevision: {
            base_branch?: string | null;
            goal?: string;
            local_path?: string | null;
            memory_enabled?: boolean;
            repository_url?: string | null;
            /** @enum {string} */
            status?: "draft" | "active" | "paused" | "completed" | "failed" | "archived";
            title?: string;
        };
        /** @description A version of a directive or a step, with what it said. */
        DirectiveVersion: {
            action: string;
            actor: string;
            /** Format: date-time */
            recorded_at: string;
            version: number;
        } & {
            [key: string]: unknown;
        };
        DirectiveVersionList: {
            items: components["schemas"]["DirectiveVersion"][];
            next: string | null;
        };
        Drawing: {
            aliases: {
                [key: string]: string[];
            };
            confidence: number[];
            ids: string[];
            labels: string[];
            object: number[];
            predicate: number[];
            predicates: string[];
            relations: string[];
            subject: number[];
            type: number[];
            types: string[];
        };
        DryRun: {
            /** @default true */
            dry_run?: boolean;
        };
        EndRequest: {
            at?: string | null;
            reason?: string | null;
        };
        Entity: {
            aliases: string[];
            id: string;
            label: string;
            namespace: string;
            notes: string | null;
            owner: string;
            /** Format: date-time */
            recorded_at: string;
            /** @enum {string} */
            status: "candidate" | "verified" | "rejected" | "stale" | "archived";
            tags: string[];
            type: string;
            version: number;
        };
        EntityList: {
            items: components["schemas"]["Entity"][];
            next: string | null;
        };
        EntityMerge: {
            absorb: string;
            keep: string;
        };
        EntityRevision: {
            aliases?: string[] | null;
            label?: string | null;
            notes?: string | null;
            tags?: string[] | null;
            type?: string | null;
        };
        EntitySplit: {
            /** @default [] */
            aliases?: string[];
            label: string;
            /** @default [] */
            relations?: string[];
        };
        EpisodeList: {
            items: components["schemas"]["Memory"][];
            next: string | null;
        };
        Evidence: {
            episode: string;
            quote: string | null;
        };
        EvidenceQuote: {
            episode: components["schemas"]["Memory"];
            quote: string | null;
        };
        EvidenceQuoteList: {
            items: components["schemas"]["EvidenceQuote"][];
            next: string | null;
        };
        Finding: {
            id: string;
            noun: string;
            reason: string;
        };
        /**
         * @description What is meant, in words. Unless that is certain, the answer is a proposal; ``choose`` names ids out of it.
         * @example {
         *       "query": "what I said about my knee"
         *     }
         */
        ForgetByDescription: {
            /** @default false */
            all?: boolean;
            choose?: string[] | null;
            /** @default false */
            dry_run?: boolean;
            query: string;
            /** @default false */
            yes?: boolean;
        };
        Hint: {
            agent: string | null;
            author: string | null;
            /** @enum {string} */
            category: "insight" | "decision" | "context" | "error" | "pattern" | "fact" | "preference" | "routine" | "correction" | "lesson";
            confidence: number;
            directive: string | null;
            evidence: components["schemas"]["EvidenceQuote"][];
            expires_at: string | null;
            id: string;
            importance: number;
            key: string | null;
            /** @enum {string} */
            kind: "core" | "episodic" | "associative" | "relational" | "proactive";
            last_confirmed_at: string | null;
            last_used_at: string | null;
            metadata: {
                [key: string]: unknown;
            };
            namespace: string;
            owner: string;
            pinned: boolean;
            /** Format: date-time */
            recorded_at: string;
            retired_at: string | null;
            /** @enum {string} */
            source: "user" | "planner" | "executor" | "assistant" | "tool" | "import" | "system";
            /** @enum {string} */
            status: "candidate" | "verified" | "rejected" | "stale" | "archived";
            step: string | null;
            tags: string[];
            text: string;
            turn: components["schemas"]["Turn"] | null;
            uses: number;
            valid_from: string | null;
            valid_to: string | null;
            version: number;
        };
        HintList: {
            items: components["schemas"]["Hint"][];
            next: string | null;
        };
        Hit: {
            memory: components["schemas"]["Memory"];
            overturned: boolean;
            score: number;
            why: components["schemas"]["Why"] | null;
        };
        HitList: {
            items: components["schemas"]["Hit"][];
            next: string | null;
        };
        ImportedFile: {
            counts: {
                [key: string]: number;
            };
            dry_run: boolean;
            format: string;
            problems: components["schemas"]["UnreadPart"][];
            skipped: {
                [key: string]: number;
            };
        };
        Invitation: {
            code: string | null;
            /** Format: date-time */
            expires_at: string;
            id: string;
            invited_by: string;
            namespace: string;
            person: string | null;
            role: string;
            rule: string;
        };
        InvitationCode: {
            code: string;
        };
        IssuedToken: {
            secret: string;
            token: components["schemas"]["Token"];
        };
        Job: {
            attempts: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            due_at: string;
            error: string | null;
            finished_at: string | null;
            id: string;
            kind: string;
            state: string;
        };
        JobList: {
            items: components["schemas"]["Job"][];
            next: string | null;
        };
        LiftedCount: {
            lifted: number;
        };
        LiftRequest: {
            text: string;
        };
        LogLine: {
            /** Format: date-time */
            at: string;
            figures: {
                [key: string]: number;
            };
            id: string;
            namespace: string | null;
            notes: string[];
            receipts: string[];
            what: string;
        };
        LogLineList: {
            items: components["schemas"]["LogLine"][];
            next: string | null;
        };
        Me: {
            features: string[];
            language: string | null;
            namespace: string;
            owner: string;
            person: boolean;
            plan: string;
            scopes: string[];
            timezone: string | null;
            token: string;
            version: string;
        };
        Member: {
            person: string;
            role: string;
            /** Format: date-time */
            since: string;
        };
        Memory: {
            agent: string | null;
            author: string | null;
            /** @enum {string} */
            category: "insight" | "decision" | "context" | "error" | "pattern" | "fact" | "preference" | "routine" | "correction" | "lesson";
            confidence: number;
            directive: string | null;
            expires_at: string | null;
            id: string;
            importance: number;
            key: string | null;
            /** @enum {string} */
            kind: "core" | "episodic" | "associative" | "relational" | "proactive";
            last_confirmed_at: string | null;
            last_used_at: string | null;
            metadata: {
                [key: string]: unknown;
            };
            namespace: string;
            owner: string;
            pinned: boolean;
            /** Format: date-time */
            recorded_at: string;
            retired_at: string | null;
            /** @enum {string} */
            source: "user" | "planner" | "executor" | "assistant" | "tool" | "import" | "system";
            /** @enum {string} */
            status: "candidate" | "verified" | "rejected" | "stale" | "archived";
            step: string | null;
            tags: string[];
            text: string;
            turn: components["schemas"]["Turn"] | null;
            uses: number;
            valid_from: string | null;
            valid_to: string | null;
            version: number;
        };
        MemoryList: {
            items: components["schemas"]["Memory"][];
            next: string | null;
        };
        MoveRequest: {
            ids: string[];
            to: string;
        };
        Namespace: {
            /** Format: date-time */
            created_at: string;
            description: string | null;
            id: string;
            name: string;
            predicates: string[];
        };
        NamespaceList: {
            items: components["schemas"]["Namespace"][];
            next: string | null;
        };
        NamespaceRevision: {
            description?: string | null;
            name?: string | null;
            predicates?: string[] | null;
        };
        NamespaceStats: {
            memories: number;
            name: string;
            vectors_missing: number;
            words: number;
        };
        NewAdmin: {
            person: string;
        };
        /**
         * @example {
         *       "messages": [
         *         {
         *           "speaker": "Ada",
         *           "text": "I moved to Bern in May."
         *         }
         *       ],
         *       "session": "monday"
         *     }
         */
        NewConversation: {
            messages: components["schemas"]["NewMessage"][];
            session?: string | null;
        };
        NewCoreValue: {
            /**
             * @default preference
             * @enum {string}
             */
            category?: "insight" | "decision" | "context" | "error" | "pattern" | "fact" | "preference" | "routine" | "correction" | "lesson";
            /** @default false */
            confirm?: boolean;
            value: string;
        };
        /**
         * @example {
         *       "goal": "Version 2 is out",
         *       "memory_enabled": true
         *     }
         */
        NewDirective: {
            base_branch?: string | null;
            goal: string;
            local_path?: string | null;
            /** @default false */
            memory_enabled?: boolean;
            repository_url?: string | null;
            /**
             * @default draft
             * @enum {string}
             */
            status?: "draft" | "active" | "paused" | "completed" | "failed" | "archived";
            title: string;
        };
        /**
         * @example {
         *       "category": "error",
         *       "text": "The cache must be cleared"
         *     }
         */
        NewDirectiveMemory: {
            /**
             * @default context
             * @enum {string}
             */
            category?: "insight" | "decision" | "context" | "error" | "pattern";
            source?: ("planner" | "executor" | "user") | null;
            step?: string | null;
            text: string;
        };
        NewInvitation: {
            name: string;
            person?: string | null;
            /**
             * @default writer
             * @enum {string}
             */
            role?: "reader" | "writer" | "admin";
            /**
             * @default stays
             * @enum {string}
             */
            rule?: "stays" | "goes";
        };
        NewMemories: {
            items: components["schemas"]["RememberRequest"][];
        };
        NewMessage: {
            at?: string | null;
            metadata?: {
                [key: string]: unknown;
            } | null;
            /**
             * @default user
             * @enum {string}
             */
            role?: "user" | "assistant" | "system" | "tool";
            speaker?: string | null;
            text: string;
        };
        NewNamespace: {
            description?: string | null;
            name: string;
        };
        NewOwner: {
            owner: string;
            plan?: string | null;
        };
        NewPredicate: {
            name: string;
        };
        /**
         * @example {
         *       "object": "Marco",
         *       "object_type": "person",
         *       "predicate": "reports_to",
         *       "subject": "Giulia",
         *       "subject_type": "person"
         *     }
         */
        NewRelation: {
            /** @default 0.7 */
            confidence?: number;
            /** @default false */
            confirm?: boolean;
            notes?: string | null;
            object: string;
            /** @default topic */
            object_type?: string;
            predicate: string;
            subject: string;
            /** @default person */
            subject_type?: string;
            valid_from?: string | null;
            valid_to?: string | null;
        };
        NewRole: {
            /** @enum {string} */
            role: "reader" | "writer" | "admin";
        };
        /** @description The secret itself is in the cookie alone. */
        NewSession: {
            csrf: string;
            /** Format: date-time */
            expires_at: string;
        };
        NewStep: {
            /** @default [] */
            depends_on?: string[];
            description?: string | null;
            name: string;
            order_index?: number | null;
            task_plan?: string | null;
        };
        NewTag: {
            description?: string | null;
            name: string;
            /** @default [] */
            synonyms?: string[];
        };
        /**
         * @example {
         *       "name": "laptop",
         *       "scopes": [
         *         "read",
         *         "write"
         *       ]
         *     }
         */
        NewToken: {
            expires_at?: string | null;
            name?: string | null;
            /** @default [] */
            namespaces?: string[];
            /** @default false */
            person?: boolean;
            /**
             * @default [
             *       "read",
             *       "write"
             *     ]
             */
            scopes?: ("read" | "write" | "admin")[];
            source?: ("user" | "planner" | "executor" | "assistant" | "tool" | "import" | "system") | null;
        };
        NotebookEdit: {
            after: string;
            before: string;
        };
        NotebookFile: {
            /** Format: date-time */
            modified: string;
            name: string;
            path: string;
            size: number;
            tier: string;
        };
        NotebookFiles: {
            files: components["schemas"]["NotebookFile"][];
            folder: string | null;
        };
        NotebookPage: {
            name: string;
            text: string;
        };
        OwnerList: {
            items: components["schemas"]["Account"][];
            next: string | null;
        };
        OwnerRevision: {
            language?: string | null;
            plan?: string | null;
            timezone?: string | null;
        };
        PatternCount: {
            noticed: number;
        };
        PredicateName: {
            builtin: boolean;
            name: string;
        };
        PredicateNameList: {
            items: components["schemas"]["PredicateName"][];
            next: string | null;
        };
        PrivateNamespace: {
            name: string;
            /** @default true */
            private?: boolean;
        };
        /** @description RFC 9457. Further members depend on the problem: ``expected`` and ``found``, ``ids``, ``errors``. */
        Problem: {
            detail: string;
            status: number;
            title: string;
            type: string;
        } & {
            [key: string]: unknown;
        };
        Prompt: {
            fault: string | null;
            left_out: number;
            memories: string[];
            text: string;
        };
        PromptRequest: {
            query: string;
            /** @default [] */
            skip?: string[];
        };
        Proposal: {
            alternatives: components["schemas"]["ProposalTarget"][];
            confidence: number;
            query: string;
            reasons: string[];
            state: string;
            sure: boolean;
            targets: components["schemas"]["ProposalTarget"][];
        };
        ProposalTarget: {
            clauses: string[];
            confidence: number;
            episode: boolean;
            id: string;
            reasons: string[];
            remains: string | null;
            sure: boolean;
            text: string;
            version: number;
        };
        ReasonRequest: {
            reason?: string | null;
        };
        /**
         * @example {
         *       "explain": true,
         *       "limit": 5,
         *       "query": "how does Ada travel?"
         *     }
         */
        RecallRequest: {
            as_of?: string | null;
            categories?: ("insight" | "decision" | "context" | "error" | "pattern" | "fact" | "preference" | "routine" | "correction" | "lesson")[] | null;
            directive?: string | null;
            /** @default false */
            explain?: boolean;
            glossary_tag?: string | null;
            kinds?: ("core" | "episodic" | "associative" | "relational" | "proactive")[] | null;
            known_at?: string | null;
            limit?: number | null;
            metadata?: {
                [key: string]: unknown;
            } | null;
            namespaces?: string[] | null;
            /** @default  */
            query?: string;
            recipe?: string | null;
            session?: string | null;
            since?: string | null;
            sources?: ("user" | "planner" | "executor" | "assistant" | "tool" | "import" | "system")[] | null;
            statuses?: ("candidate" | "verified" | "rejected" | "stale" | "archived")[] | null;
            tags?: string[] | null;
            until?: string | null;
        };
        Receipt: {
            action: string;
            actor: string;
            /** Format: date-time */
            at: string;
            changes: components["schemas"]["Change"][];
            id: string | null;
            ids: string[];
            notes: string[];
            ref: string;
            state: string;
            trace: string | null;
        };
        ReceiptList: {
            items: components["schemas"]["Receipt"][];
            next: string | null;
        };
        Relation: {
            confidence: number;
            id: string;
            last_confirmed_at: string | null;
            namespace: string;
            notes: string | null;
            object: components["schemas"]["Entity"];
            owner: string;
            pinned: boolean;
            predicate: string;
            /** Format: date-time */
            recorded_at: string;
            retired_at: string | null;
            /** @enum {string} */
            source: "user" | "planner" | "executor" | "assistant" | "tool" | "import" | "system";
            /** @enum {string} */
            status: "candidate" | "verified" | "rejected" | "stale" | "archived";
            subject: components["schemas"]["Entity"];
            valid_from: string | null;
            valid_to: string | null;
            version: number;
        };
        RelationList: {
            items: components["schemas"]["Relation"][];
            next: string | null;
        };
        RelationRevision: {
            confidence?: number | null;
            notes?: string | null;
            object?: string | null;
            predicate?: string | null;
            reason?: string | null;
            subject?: string | null;
        };
        RelationSummary: {
            confidence: number;
            id: string;
            last_confirmed_at: string | null;
            notes: string | null;
            object: string;
            predicate: string;
            subject: string;
            version: number;
        };
        RelationSummaryList: {
            items: components["schemas"]["RelationSummary"][];
            next: string | null;
        };
        /**
         * @example {
         *       "category": "preference",
         *       "tags": [
         *         "travel"
         *       ],
         *       "text": "Ada prefers trains to planes"
         *     }
         */
        RememberRequest: {
            /**
             * @default context
             * @enum {string}
             */
            category?: "insight" | "decision" | "context" | "error" | "pattern" | "fact" | "preference" | "routine" | "correction" | "lesson";
            confidence?: number | null;
            /** @default false */
            confirm?: boolean;
            expires_at?: string | null;
            importance?: number | null;
            key?: string | null;
            /**
             * @default associative
             * @enum {string}
             */
            kind?: "core" | "episodic" | "associative" | "relational" | "proactive";
            metadata?: {
                [key: string]: unknown;
            } | null;
            /** @default false */
            pinned?: boolean;
            /** @default [] */
            tags?: string[];
            text: string;
            valid_from?: string | null;
            valid_to?: string | null;
        };
        Report: {
            action: string;
            /** Format: date-time */
            at: string;
            count: number;
            counts: {
                [key: string]: number;
            };
            dry_run: boolean;
            findings: components["schemas"]["Finding"][];
            namespace: string | null;
            notes: string[];
            receipt: string | null;
        };
        ReviewDecision: {
            /** @enum {string} */
            decision: "approve" | "correct" | "reject";
            reason?: string | null;
            text?: string | null;
        };
        /**
         * @description What is meant, in words, and what is to change of it; what is absent stays.
         * @example {
         *       "query": "where Ada works",
         *       "text": "Ada works at Acme"
         *     }
         */
        ReviseRequest: {
            /**
             * @default context
             * @enum {string}
             */
            category?: "insight" | "decision" | "context" | "error" | "pattern" | "fact" | "preference" | "routine" | "correction" | "lesson";
            choose?: string | null;
            confidence?: number;
            /** @default false */
            dry_run?: boolean;
            expires_at?: string | null;
            importance?: number;
            metadata?: {
                [key: string]: unknown;
            };
            /** @default false */
            pinned?: boolean;
            query: string;
            reason?: string | null;
            /** @default [] */
            tags?: string[];
            text?: string | null;
            valid_from?: string | null;
            valid_to?: string | null;
        };
        /**
         * @description What is absent stays as it is.
         * @example {
         *       "text": "Ada prefers night trains"
         *     }
         */
        Revision: {
            /**
             * @default context
             * @enum {string}
             */
            category?: "insight" | "decision" | "context" | "error" | "pattern" | "fact" | "preference" | "routine" | "correction" | "lesson";
            confidence?: number;
            expires_at?: string | null;
            importance?: number;
            metadata?: {
                [key: string]: unknown;
            };
            /** @default false */
            pinned?: boolean;
            reason?: string | null;
            /** @default [] */
            tags?: string[];
            text?: string | null;
            valid_from?: string | null;
            valid_to?: string | null;
        };
        RollbackRequest: {
            to: number;
        };
        Round: {
            /** Format: date-time */
            at: string;
            figures: {
                [key: string]: number;
            } | null;
            jobs: number;
            notes: string[];
            owners: number;
            reports: components["schemas"]["Report"][];
        };
        Session: {
            id: string;
            name: string;
            namespace: string;
            /** Format: date-time */
            started_at: string;
            turns: number;
        };
        SessionList: {
            items: components["schemas"]["Session"][];
            next: string | null;
        };
        SettingValue: {
            help: string;
            name: string;
            origin: string | null;
            value: unknown;
        };
        SettingValueList: {
            items: components["schemas"]["SettingValue"][];
            next: string | null;
        };
        SharedNamespace: {
            invitations: components["schemas"]["Invitation"][];
            members: components["schemas"]["Member"][];
            name: string;
            role: string;
            rule: string;
        };
        SharedNamespaceList: {
            items: components["schemas"]["SharedNamespace"][];
            next: string | null;
        };
        Stats: {
            /** Format: date-time */
            at: string;
            categories: {
                [key: string]: number;
            };
            embedder: string | null;
            jobs: {
                [key: string]: number;
            };
            keys: {
                [key: string]: number;
            };
            kinds: {
                [key: string]: number;
            };
            memories: number;
            namespaces: components["schemas"]["NamespaceStats"][];
            newest: string | null;
            oldest: string | null;
            owner: string;
            plan: string;
            prunable: number;
            receipts: [
                string,
                string,
                string
            ][];
            sizes: {
                [key: string]: number;
            };
            statuses: {
                [key: string]: number;
            };
            tokens_cap: number;
            tokens_today: number;
            tombstones: number;
            warnings: string[];
        };
        Step: {
            attempts: number;
            depends_on: string[];
            description: string | null;
            directive: string;
            generation: number;
            id: string;
            name: string;
            order_index: number;
            result: string | null;
            run: string | null;
            /** @enum {string} */
            status: "pending" | "ready" | "running" | "completed" | "failed" | "skipped";
            task_plan: string | null;
            version: number;
        };
        StepList: {
            items: components["schemas"]["Step"][];
            next: string | null;
        };
        StepRevision: {
            attempts?: number;
            depends_on?: string[];
            description?: string | null;
            name?: string;
            order_index?: number;
            result?: string | null;
            /** @enum {string} */
            status?: "pending" | "ready" | "running" | "completed" | "failed" | "skipped";
            task_plan?: string | null;
        };
        Symptom: {
            check: string;
            fixed: boolean;
            grade: string;
            owner: string | null;
            remedy: string;
            what: string;
        };
        SyncCursor: {
            cursor: {
                [key: string]: unknown;
            };
        };
        /** @description The machine at the other end, as it stands after an exchange. */
        SyncedWith: {
            /** Format: date-time */
            at: string;
            id: string;
            name: string;
            owner: string;
            pushed: components["schemas"]["SyncPosition"];
            received: number;
            sent: number;
        };
        SyncLines: {
            lines: string[];
        };
        SyncPage: {
            cursor: {
                [key: string]: unknown;
            };
            lines: string[];
            more: boolean;
        };
        SyncPeer: {
            address: string;
            last_at: string | null;
            owner: string | null;
            received: number;
            sent: number;
            waiting: number;
        };
        SyncPosition: {
            /** @default 0 */
            acts?: number;
            /** @default 0 */
            sequence?: number;
            walk?: string | null;
        };
        SyncRecord: {
            record: components["schemas"]["SyncedWith"];
        };
        SyncStatus: {
            conflicts: number;
            conflicts_in: string[];
            peers: components["schemas"]["SyncPeer"][];
            private: string[];
            sealed: number;
            waiting: number;
        };
        Tag: {
            description: string | null;
            id: string;
            links: number;
            name: string;
            synonyms: string[];
        };
        TagList: {
            items: components["schemas"]["Tag"][];
            next: string | null;
        };
        TagMerge: {
            into: string;
        };
        TagRevision: {
            description?: string | null;
            name?: string | null;
            synonyms?: string[] | null;
        };
        Token: {
            connection: boolean;
            /** Format: date-time */
            created_at: string;
            expires_at: string | null;
            id: string;
            last_used_at: string | null;
            link: boolean;
            name: string | null;
            namespaces: string[];
            owner: string;
            person: boolean;
            resource: string | null;
            revoked_at: string | null;
            /** @enum {string} */
            scope: "read" | "write" | "admin";
            scopes: string[];
            session: boolean;
            /** @enum {string} */
            source: "user" | "planner" | "executor" | "assistant" | "tool" | "import" | "system";
        };
        TokenList: {
            items: components["schemas"]["Token"][];
            next: string | null;
        };
        Trace: {
            /** Format: date-time */
            at: string;
            id: string;
            run: string;
            seconds: number;
            steps: components["schemas"]["TraceStep"][];
            tokens: number;
        };
        TraceList: {
            items: components["schemas"]["Trace"][];
            next: string | null;
        };
        TraceStep: {
            action: string;
            by: string;
            described: boolean;
            episode: string;
            memory: string | null;
            near: string[];
            opinion: string | null;
            parts: string[];
            reason: string;
            statement: string | null;
            targets: string[];
            type: string;
        };
        Turn: {
            position: number;
            /** @enum {string} */
            role: "user" | "assistant" | "system" | "tool";
            /** Format: date-time */
            said_at: string;
            session: string;
            speaker: string | null;
        };
        UnreadPart: {
            place: string;
            what: string;
        };
        Usage: {
            cap: number;
            items: components["schemas"]["UsageDay"][];
            next: string | null;
        };
        UsageDay: {
            calls: number;
            day: string;
            tokens: number;
            what: string;
        };
        Use: {
            /** Format: date-time */
            at: string;
            id: string;
            kind: string;
            memories: number;
        };
        UsefulRequest: {
            id: string;
            /** @default true */
            yes?: boolean;
        };
        UseList: {
            items: components["schemas"]["Use"][];
            next: string | null;
        };
        Verification: {
            found: string[];
            gone: boolean;
            ref: string;
            state: string;
        };
        Version: {
            action: string;
            actor: string;
            memory: components["schemas"]["Memory"];
            reason: string | null;
            /** Format: date-time */
            recorded_at: string;
            superseded_at: string | null;
            version: number;
        };
        VersionList: {
            items: components["schemas"]["Version"][];
            next: string | null;
        };
        Waiting: {
            conflict: components["schemas"]["Memory"] | null;
            evidence: components["schemas"]["EvidenceQuote"][];
            memory: components["schemas"]["Memory"];
            reason: string;
        };
        WaitingList: {
            items: components["schemas"]["Waiting"][];
            next: string | null;
            total: number;
        };
        Walk: {
            distance: {
                [key: string]: number;
            };
            entities: components["schemas"]["Entity"][];
            relations: components["schemas"]["Relation"][];
        };
        Why: {
            evidence: components["schemas"]["Evidence"][];
            lists: {
                [key: string]: number;
            };
            parts: {
                [key: string]: number;
            };
            terms: string[];
        };
    };
    responses: never;
    parameters: {
        /** @description The namespace; `default`, or the only one that the token reaches. */
        namespace: string | null;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    agenda: {
        parameters: {
            query?: {
                /** @description How many days ahead */
                days?: number;
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
                /** @description After how many days without contact */
                silent?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list: agenda item */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgendaItemList"];
                };
            };
        };
    };
    list_audit: {
        parameters: {
            query?: {
                /** @description The `next` of the page before */
                cursor?: number;
                /** @description Maximum of items on a page */
                limit?: number;
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
                /** @description The latest first */
                newest?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list: audit line */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditLineList"];
                };
            };
        };
    };
    verify_audit: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Audit check */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditCheck"];
                };
            };
        };
    };
    backup: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Report */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Report"];
                };
            };
        };
    };
    context: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContextRequest"];
            };
        };
        responses: {
            /** @description Context page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContextPage"];
                };
            };
        };
    };
    prompt_context: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PromptRequest"];
            };
        };
        responses: {
            /** @description Context page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContextPage"];
                };
            };
        };
    };
    list_directives: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
                /** @description Of this status */
                status?: ("draft" | "active" | "paused" | "completed" | "failed" | "archived") | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list: directive */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DirectiveList"];
                };
            };
        };
    };
    create_directive: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewDirective"];
            };
        };
        responses: {
            /** @description Receipt */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"];
                };
            };
        };
    };
    get_directive: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Directive */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Directive"];
                };
            };
        };
    };
    delete_directive: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Receipt */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"];
                };
            };
        };
    };
    revise_directive: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DirectiveRevision"];
            };
        };
        responses: {
            /** @description Receipt */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"];
                };
            };
        };
    };
    directive_attempts: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list: attempt */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AttemptList"];
                };
            };
        };
    };
    directive_memories: {
        parameters: {
            query?: {
                /** @description Of this category */
                category?: ("insight" | "decision" | "context" | "error" | "pattern") | null;
                /** @description The `next` of the page before */
                cursor?: string | null;
                /** @description Maximum of items on a page */
                limit?: number;
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
                /** @description The latest first */
                newest?: boolean;
                /** @description Of this step (id) */
                step?: string | null;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list: directive memory */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DirectiveMemoryList"];
                };
            };
        };
    };
    remember_for_directive: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewDirectiveMemory"];
            };
        };
        responses: {
            /** @description Receipt */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"];
                };
            };
        };
    };
    forget_directive_memory: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path: {
                id: string;
                memory: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Receipt */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"];
                };
            };
        };
    };
    revise_directive_memory: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path: {
                id: string;
                memory: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DirectiveMemoryRevision"];
            };
        };
        responses: {
            /** @description Receipt */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"];
                };
            };
        };
    };
    directive_prompt: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
                /** @description Of this step (id) */
                step?: string | null;
                /** @description Longest text, in tokens */
                tokens?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Prompt */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Prompt"];
                };
            };
        };
    };
    list_steps: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list: step */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StepList"];
                };
            };
        };
    };
    add_step: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewStep"];
            };
        };
        responses: {
            /** @description Receipt */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"];
                };
            };
        };
    };
    directive_history: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list: directive version */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DirectiveVersionList"];
                };
            };
        };
    };
    doctor: {
        parameters: {
            query?: {
                /** @description Also open every row */
                full?: boolean;
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Diagnosis */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Diagnosis"];
                };
            };
        };
    };
    list_entities: {
        parameters: {
            query?: {
                /** @description The `next` of the page before */
                cursor?: string | null;
                /** @description Maximum of items on a page */
                limit?: number;
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
                /** @description Whose name holds this */
                query?: string | null;
                /** @description With this tag */
                tag?: string | null;
                /** @description Of this type */
                type?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list: entity */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EntityList"];
                };
            };
        };
    };
    get_entity: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Entity */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Entity"];
                };
            };
        };
    };
    revise_entity: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EntityRevision"];
            };
        };
        responses: {
            /** @description Receipt */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"];
                };
            };
        };
    };
    split_entity: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EntitySplit"];
            };
        };
        responses: {
            /** @description Receipt */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"];
                };
            };
        };
    };
    merge_entities: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EntityMerge"];
            };
        };
        responses: {
            /** @description Receipt */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"];
                };
            };
        };
    };
    list_episodes: {
        parameters: {
            query?: {
                /** @description The `next` of the page before */
                cursor?: string | null;
                /** @description Maximum of items on a page */
                limit?: number;
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
                /** @description What comes first */
                order?: string;
                /** @description Of this conversation */
                session?: string | null;
                /** @description At or after this time */
                since?: string | null;
                /** @description Before this time */
                until?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list: episode */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EpisodeList"];
                };
            };
        };
    };
    observe: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewConversation"];
            };
        };
        responses: {
            /** @description Receipt */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"];
                };
            };
        };
    };
    events: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: {
                /** @description The last change that was seen. */
                "last-event-id"?: string | null;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Changes */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
        };
    };
    forget_by_description: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ForgetByDescription"];
            };
        };
        responses: {
            /** @description Receipt or proposal */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"] | components["schemas"]["Proposal"];
                };
            };
        };
    };
    draw_graph: {
        parameters: {
            query?: {
                /** @description What was true then */
                as_of?: string | null;
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Drawing */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Drawing"];
                };
            };
        };
    };
    hints: {
        parameters: {
            query?: {
                /** @description Maximum of items on a page */
                limit?: number;
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list: hint */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HintList"];
                };
            };
        };
    };
    dismiss: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Receipt */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"];
                };
            };
        };
    };
    import_export: {
        parameters: {
            query?: {
                /** @description Only say what would happen */
                dry_run?: boolean;
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/x-ndjson": string;
            };
        };
        responses: {
            /** @description Report */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Report"];
                };
            };
        };
    };
    import_file: {
        parameters: {
            query: {
                /** @description Only say what would happen */
                dry_run?: boolean;
                /** @description Which program wrote the file */
                format: string;
                /** @description The name of the file */
                name?: string;
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description Imported file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportedFile"];
                };
            };
        };
    };
    list_jobs: {
        parameters: {
            query?: {
                /** @description Of one of these kinds */
                kind?: string[] | null;
                /** @description Maximum of items on a page */
                limit?: number;
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
                /** @description The latest first */
                newest?: boolean;
                /** @description In one of these states */
                state?: ("waiting" | "leased" | "done" | "dead")[] | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list: job */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobList"];
                };
            };
        };
    };
    retry_job: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Job */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
        };
    };
    job_counts: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: {
                            [key: string]: number;
                        };
                    };
                };
            };
        };
    };
    decay: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DryRun"];
            };
        };
        responses: {
            /** @description Report */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Report"];
                };
            };
        };
    };
    maintenance_log: {
        parameters: {
            query?: {
                /** @description Maximum of items on a page */
                limit?: number;
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list: log line */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LogLineList"];
                };
            };
        };
    };
    merge: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DryRun"];
            };
        };
        responses: {
            /** @description Report */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Report"];
                };
            };
        };
    };
    mine_patterns: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Pattern count */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PatternCount"];
                };
            };
        };
    };
    prune: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DryRun"];
            };
        };
        responses: {
            /** @description Report */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Report"];
                };
            };
        };
    };
    reindex: {
        parameters: {
            query?: {
                /** @description Embedder to change to */
                model?: string | null;
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Report */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Report"];
                };
            };
        };
    };
    rotate_keys: {
        parameters: {
            query?: {
                /** @description Also destroy the old keys, for good */
                destroy_old?: boolean;
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Report */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Report"];
                };
            };
        };
    };
    maintain: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Round */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Round"];
                };
            };
        };
    };
    me: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Me */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Me"];
                };
            };
        };
    };
    list_core_values: {
        parameters: {
            query?: {
                /** @description What was true then */
                as_of?: string | null;
                /** @description What was known then */
                known_at?: string | null;
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list: core value */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CoreValueList"];
                };
            };
        };
    };
    set_core_value: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path: {
                key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewCoreValue"];
            };
        };
        responses: {
            /** @description Receipt */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"];
                };
            };
        };
    };
    forget_core_value: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path: {
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Receipt */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"];
                };
            };
        };
    };
    export: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
                /** @description In these namespaces */
                namespaces?: string[] | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description JSON lines */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                };
            };
        };
    };
    erase: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Receipt */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"];
                };
            };
        };
    };
    my_relations: {
        parameters: {
            query?: {
                /** @description The `next` of the page before */
                cursor?: string | null;
                /** @description Maximum of items on a page */
                limit?: number;
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list: relation summary */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RelationSummaryList"];
                };
            };
        };
    };
    forget_my_relation: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Receipt */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"];
                };
            };
        };
    };
    revise_my_relation: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RelationRevision"];
            };
        };
        responses: {
            /** @description Receipt */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"];
                };
            };
        };
    };
    browse: {
        parameters: {
            query?: {
                /** @description What was true then */
                as_of?: string | null;
                /** @description Of these categories */
                categories?: ("insight" | "decision" | "context" | "error" | "pattern" | "fact" | "preference" | "routine" | "correction" | "lesson")[] | null;
                /** @description The `next` of the page before */
                cursor?: string | null;
                /** @description Of this directive (id) */
                directive?: string | null;
                /** @description With this tag */
                glossary_tag?: string | null;
                /** @description Of these kinds */
                kinds?: ("core" | "episodic" | "associative" | "relational" | "proactive")[] | null;
                /** @description What was known then */
                known_at?: string | null;
                /** @description Maximum of items on a page */
                limit?: number;
                /** @description A JSON object; every pair of it must be there. */
                metadata?: string | null;
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
                /** @description In these namespaces */
                namespaces?: string[] | null;
                /** @description Of this conversation */
                session?: string | null;
                /** @description At or after this time */
                since?: string | null;
                /** @description What comes first */
                sort?: "newest" | "oldest" | "importance";
                /** @description Written by one of these */
                sources?: ("user" | "planner" | "executor" | "assistant" | "tool" | "import" | "system")[] | null;
                /** @description Of these statuses; default: candidate and verified */
                statuses?: ("candidate" | "verified" | "rejected" | "stale" | "archived")[] | null;
                /** @description With all of these tags */
                tags?: string[] | null;
                /** @description Before this time */
                until?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list: memory */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemoryList"];
                };
            };
        };
    };
    remember: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RememberRequest"];
            };
        };
        responses: {
            /** @description Receipt */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"];
                };
            };
        };
    };
    get: {
        parameters: {
            query?: {
                /** @description What was true then */
                as_of?: string | null;
                /** @description What was known then */
                known_at?: string | null;
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Memory */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Memory"];
                };
            };
        };
    };
    forget: {
        parameters: {
            query?: {
                /** @description Only say what would happen */
                dry_run?: boolean;
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Receipt */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"];
                };
            };
        };
    };
    revise: {
        parameters: {
            query?: {
                /** @description Only say what would happen */
                dry_run?: boolean;
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Revision"];
            };
        };
        responses: {
            /** @description Receipt */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"];
                };
            };
        };
    };
    archive: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ReasonRequest"] | null;
            };
        };
        responses: {
            /** @description Receipt */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"];
                };
            };
        };
    };
    confirm: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Receipt */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"];
                };
            };
        };
    };
    end: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EndRequest"];
            };
        };
        responses: {
            /** @description Receipt */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"];
                };
            };
        };
    };
    evidence: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list: evidence quote */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EvidenceQuoteList"];
                };
            };
        };
    };
    reject: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReasonRequest"];
            };
        };
        responses: {
            /** @description Receipt */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"];
                };
            };
        };
    };
    rollback: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RollbackRequest"];
            };
        };
        responses: {
            /** @description Receipt */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"];
                };
            };
        };
    };
    uses: {
        parameters: {
            query?: {
                /** @description The `next` of the page before */
                cursor?: string | null;
                /** @description Maximum of items on a page */
                limit?: number;
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list: use */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UseList"];
                };
            };
        };
    };
    history: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list: version */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VersionList"];
                };
            };
        };
    };
    why: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list: trace */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TraceList"];
                };
            };
        };
    };
    remember_many: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewMemories"];
            };
        };
        responses: {
            /** @description Receipt */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"];
                };
            };
        };
    };
    act_on_many: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BulkAction"];
            };
        };
        responses: {
            /** @description Receipt */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"];
                };
            };
        };
    };
    count_memories: {
        parameters: {
            query?: {
                /** @description Of these categories */
                categories?: ("insight" | "decision" | "context" | "error" | "pattern" | "fact" | "preference" | "routine" | "correction" | "lesson")[] | null;
                /** @description With this tag */
                glossary_tag?: string | null;
                /** @description Of these kinds */
                kinds?: ("core" | "episodic" | "associative" | "relational" | "proactive")[] | null;
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
                /** @description In these namespaces */
                namespaces?: string[] | null;
                /** @description At or after this time */
                since?: string | null;
                /** @description Written by one of these */
                sources?: ("user" | "planner" | "executor" | "assistant" | "tool" | "import" | "system")[] | null;
                /** @description Of these statuses; default: candidate and verified */
                statuses?: ("candidate" | "verified" | "rejected" | "stale" | "archived")[] | null;
                /** @description With all of these tags */
                tags?: string[] | null;
                /** @description Before this time */
                until?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Counts by name */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: number;
                    };
                };
            };
        };
    };
    list_namespaces: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list: namespace */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NamespaceList"];
                };
            };
        };
    };
    create_namespace: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewNamespace"];
            };
        };
        responses: {
            /** @description Receipt */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"];
                };
            };
        };
    };
    delete_namespace: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Receipt */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"];
                };
            };
        };
    };
    revise_namespace: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NamespaceRevision"];
            };
        };
        responses: {
            /** @description Receipt */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"];
                };
            };
        };
    };
    move_memories: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MoveRequest"];
            };
        };
        responses: {
            /** @description Receipt */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"];
                };
            };
        };
    };
    list_notebook_files: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Notebook files */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotebookFiles"];
                };
            };
        };
    };
    get_notebook_file: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Notebook page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotebookPage"];
                };
            };
        };
    };
    edit_notebook_file: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NotebookEdit"];
            };
        };
        responses: {
            /** @description Notebook page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotebookPage"];
                };
            };
        };
    };
    list_owners: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list: owner */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnerList"];
                };
            };
        };
    };
    create_owner: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewOwner"];
            };
        };
        responses: {
            /** @description Account */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
        };
    };
    revise_owner: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path: {
                owner: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OwnerRevision"];
            };
        };
        responses: {
            /** @description Account */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
        };
    };
    list_predicates: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list: predicate name */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PredicateNameList"];
                };
            };
        };
    };
    declare_predicate: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewPredicate"];
            };
        };
        responses: {
            /** @description Receipt */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"];
                };
            };
        };
    };
    recall: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecallRequest"];
            };
        };
        responses: {
            /** @description A page of the list: hit */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HitList"];
                };
            };
        };
    };
    list_receipts: {
        parameters: {
            query?: {
                /** @description Of these actions */
                actions?: string[];
                /** @description The `next` of the page before */
                cursor?: string | null;
                /** @description Maximum of items on a page */
                limit?: number;
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list: receipt */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceiptList"];
                };
            };
        };
    };
    get_receipt: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path: {
                ref: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Receipt */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"];
                };
            };
        };
    };
    undo: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path: {
                ref: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Receipt */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"];
                };
            };
        };
    };
    verify_receipt: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path: {
                ref: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Verification */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Verification"];
                };
            };
        };
    };
    relations: {
        parameters: {
            query?: {
                /** @description What was true then */
                as_of?: string | null;
                /** @description The `next` of the page before */
                cursor?: string | null;
                /** @description What was known then */
                known_at?: string | null;
                /** @description Maximum of items on a page */
                limit?: number;
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
                /** @description To this entity */
                object?: string | null;
                /** @description Of this predicate */
                predicate?: string | null;
                /** @description From this entity */
                subject?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list: relation */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RelationList"];
                };
            };
        };
    };
    relate: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewRelation"];
            };
        };
        responses: {
            /** @description Receipt */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"];
                };
            };
        };
    };
    get_relation: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Relation */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Relation"];
                };
            };
        };
    };
    forget_relation: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Receipt */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"];
                };
            };
        };
    };
    revise_relation: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RelationRevision"];
            };
        };
        responses: {
            /** @description Receipt */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"];
                };
            };
        };
    };
    list_review: {
        parameters: {
            query?: {
                /** @description The `next` of the page before */
                cursor?: string | null;
                /** @description Maximum of items on a page */
                limit?: number;
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list: waiting */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WaitingList"];
                };
            };
        };
    };
    decide_review: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReviewDecision"];
            };
        };
        responses: {
            /** @description Receipt */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"];
                };
            };
        };
    };
    lift_tombstone: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LiftRequest"];
            };
        };
        responses: {
            /** @description Lifted count */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LiftedCount"];
                };
            };
        };
    };
    revise_by_description: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReviseRequest"];
            };
        };
        responses: {
            /** @description Receipt or proposal */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"] | components["schemas"]["Proposal"];
                };
            };
        };
    };
    sign_in: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description New session */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewSession"];
                };
            };
        };
    };
    sign_out: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    list_sessions: {
        parameters: {
            query?: {
                /** @description Maximum of items on a page */
                limit?: number;
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list: session */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionList"];
                };
            };
        };
    };
    list_settings: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list: setting value */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SettingValueList"];
                };
            };
        };
    };
    list_shared_namespaces: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list: shared namespace */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SharedNamespaceList"];
                };
            };
        };
    };
    share_namespace: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewInvitation"];
            };
        };
        responses: {
            /** @description Invitation */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invitation"];
                };
            };
        };
    };
    get_shared_namespace: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Shared namespace */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SharedNamespace"];
                };
            };
        };
    };
    erase_shared_namespace: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Receipt */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"];
                };
            };
        };
    };
    withdraw_invitation: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path: {
                invitation: string;
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Shared namespace */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SharedNamespace"];
                };
            };
        };
    };
    leave_shared_namespace: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Receipt */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"];
                };
            };
        };
    };
    remove_member: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path: {
                name: string;
                person: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Shared namespace */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SharedNamespace"];
                };
            };
        };
    };
    change_role: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path: {
                name: string;
                person: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewRole"];
            };
        };
        responses: {
            /** @description Shared namespace */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SharedNamespace"];
                };
            };
        };
    };
    transfer_shared_namespace: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewAdmin"];
            };
        };
        responses: {
            /** @description Shared namespace */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SharedNamespace"];
                };
            };
        };
    };
    join_shared_namespace: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InvitationCode"];
            };
        };
        responses: {
            /** @description Shared namespace */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SharedNamespace"];
                };
            };
        };
    };
    preview_invitation: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InvitationCode"];
            };
        };
        responses: {
            /** @description Invitation */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invitation"];
                };
            };
        };
    };
    stats: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Stats */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Stats"];
                };
            };
        };
    };
    get_step: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Step */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Step"];
                };
            };
        };
    };
    delete_step: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Receipt */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"];
                };
            };
        };
    };
    revise_step: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StepRevision"];
            };
        };
        responses: {
            /** @description Receipt */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"];
                };
            };
        };
    };
    get_sync_status: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Sync status */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SyncStatus"];
                };
            };
        };
    };
    apply_changes: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SyncLines"];
            };
        };
        responses: {
            /** @description Applied */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Applied"];
                };
            };
        };
    };
    list_changes: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SyncCursor"];
            };
        };
        responses: {
            /** @description Sync page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SyncPage"];
                };
            };
        };
    };
    finish_sync: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SyncRecord"];
            };
        };
        responses: {
            /** @description Sync status */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SyncStatus"];
                };
            };
        };
    };
    begin_sync: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    mark_private: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PrivateNamespace"];
            };
        };
        responses: {
            /** @description Sync status */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SyncStatus"];
                };
            };
        };
    };
    list_tags: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list: tag */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TagList"];
                };
            };
        };
    };
    create_tag: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewTag"];
            };
        };
        responses: {
            /** @description Receipt */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"];
                };
            };
        };
    };
    get_tag: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Tag */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tag"];
                };
            };
        };
    };
    delete_tag: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Receipt */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"];
                };
            };
        };
    };
    revise_tag: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TagRevision"];
            };
        };
        responses: {
            /** @description Receipt */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"];
                };
            };
        };
    };
    merge_tags: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TagMerge"];
            };
        };
        responses: {
            /** @description Receipt */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"];
                };
            };
        };
    };
    timeline: {
        parameters: {
            query?: {
                /** @description The `next` of the page before */
                cursor?: string | null;
                /** @description Maximum of items on a page */
                limit?: number;
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
                /** @description At or after this time */
                since?: string | null;
                /** @description Before this time */
                until?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list: day */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DayList"];
                };
            };
        };
    };
    list_tokens: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list: token */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenList"];
                };
            };
        };
    };
    create_token: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewToken"];
            };
        };
        responses: {
            /** @description Issued token */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssuedToken"];
                };
            };
        };
    };
    revoke_token: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Token */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Token"];
                };
            };
        };
    };
    usage: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
                /** @description At or after this time */
                since?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Usage */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Usage"];
                };
            };
        };
    };
    useful: {
        parameters: {
            query?: {
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UsefulRequest"];
            };
        };
        responses: {
            /** @description Receipt */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"];
                };
            };
        };
    };
    walk: {
        parameters: {
            query: {
                /** @description What was true then */
                as_of?: string | null;
                /** @description How many relations far */
                depth?: number;
                /** @description Where to begin: a name or an id */
                entity: string;
                /** @description What was known then */
                known_at?: string | null;
                /** @description The namespace; `default`, or the only one that the token reaches. */
                namespace?: components["parameters"]["namespace"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Walk */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Walk"];
                };
            };
        };
    };
}
