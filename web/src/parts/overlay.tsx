import { Dialog, Heading, Modal, ModalOverlay } from "react-aria-components";
import { t } from "../i18n";
import type { DialogProps } from "./dialog";
import { Icon } from "./icons";

/** The dialog itself; loaded with the first one that opens. */
export function Overlay({ title, onClose, children, side = false, wide = false }: DialogProps) {
  return (
    <ModalOverlay isOpen isDismissable onOpenChange={(open) => !open && onClose()} className="overlay">
      <Modal className={`${side ? "drawer" : "dialog"}${wide ? " wide" : ""}`}>
        <Dialog className="dialog-body">
          <header>
            <Heading slot="title" level={2}>{title}</Heading>
            <button type="button" className="icon-button" aria-label={t("close")} onClick={onClose}>
              <Icon name="close" />
            </button>
          </header>
          {children}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
